"""Writes docs/device-info.md from the tables of facts and aspects in the compiled package."""

from pathlib import Path

from colocate import _native

PAGE = Path(__file__).parents[1] / "docs" / "device-info.md"

INTRO = """\
# What a device tells about itself

One source, the tables in `crates/hal/src/info.rs`, generates the Rust struct of facts about a device, the properties of
`colocate.Device` in Python, and this page. To change one, change it there, build the package, and run
`python scripts/write_device_info.py` with the Python it is installed in.
"""

FACTS = """\
## Facts

Each is a property, as in `device.global_mem_size`; `device.info()` gives all of them as a dictionary.
"""

ASPECTS = """\
## Aspects

What a device may be able to do: `device.has_aspect("fp64")` asks for one by its name, and `device.aspects` is the set
of the names of those it has.
"""


def markdown_table(rows):
    """Rows of (name, type, meaning) as a table."""
    lines = ["| Name | Type | Meaning |", "| --- | --- | --- |"]
    lines.extend(f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in rows)
    return "\n".join(lines) + "\n"


def main():
    """Writes the page."""
    facts, aspects = _native._device_tables()
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("\n".join((INTRO, FACTS, markdown_table(facts), ASPECTS, markdown_table(aspects))))


if __name__ == "__main__":
    main()
