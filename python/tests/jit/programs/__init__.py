"""Small scientific programs: each module has a function `program` and the `arguments` to run it on."""
