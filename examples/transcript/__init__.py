"""How the examples print what they do: headings, code, values, errors, tables.

Colours are for terminals that want them; long lines are broken to fit. It knows nothing of what the examples show,
except that errors come from colocate.
"""

import inspect
import os
import shutil
import sys
import textwrap

COLOURS = sys.stdout.isatty() and "NO_COLOR" not in os.environ
BOLD, DIM, RED, GREEN, CYAN = "1", "2", "31", "32", "36"
WIDTH = min(shutil.get_terminal_size((100, 24)).columns, 100)


def styled(text, code):
    return f"\033[{code}m{text}\033[0m" if COLOURS else text


def heading(title, sentence):
    print(f"\n{styled(title, BOLD)}")
    note(sentence)


def note(text):
    print(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  "))


def indented(text):
    for line in text.splitlines():
        words = line.lstrip()
        indent = " " * (6 + len(line) - len(words))
        # A line too long for the terminal goes on further to the right than it began.
        print(textwrap.fill(words, WIDTH, initial_indent=indent, subsequent_indent=indent + "  "))


def verbatim(text):
    """Shows text whose line breaks and columns matter, such as a listing or a picture."""
    print(textwrap.indent(text, "      "))


def prompt(source):
    """Shows a line as if it had been typed."""
    print(f"  {styled('>>>', DIM)} {styled(source, CYAN)}")


def listing(*functions):
    """Shows the source of kernels and device functions."""
    for function in functions:
        for line in inspect.getsource(function.__wrapped__).rstrip().splitlines():
            print(f"  {styled('|', DIM)} {styled(line, CYAN)}".rstrip())


def refusal(error):
    """Shows an error in its own words."""
    name, text = styled(f"{type(error).__name__}:", RED), str(error)
    if text.startswith("\n"):  # the compiler's messages underline columns
        print(f"      {name}")
        verbatim(text.strip("\n"))
    else:
        indented(f"{name} {text}")


def table(rows):
    """Shows rows in columns; the first one has the titles."""
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        line = "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        print(f"  {styled(line, DIM) if number == 0 else line}")
