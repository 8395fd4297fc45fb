"""Tests of jit functions: each runs a program as plain Python and compiled, and compares."""
