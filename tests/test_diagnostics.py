"""What users are told when a kernel is wrong (R5.9).

``tests/diagnostics/*.md`` hold programs beside the exact message that each must give; ``docs/errors`` holds one page
for every code, with a program that is wrong and one that is right. All of them run here, in one process, each as a file
called ``program.py``. With ``COLOCATE_UPDATE_DIAGNOSTICS=1`` the messages, and the index of the pages, are written anew
instead of compared; read the difference before it is kept.
"""

import linecache
import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import colocate as cl

ROOT = Path(__file__).resolve().parent.parent
CASES = Path(__file__).resolve().parent / "diagnostics"
PAGES = ROOT / "docs" / "errors"
UPDATE = os.environ.get("COLOCATE_UPDATE_DIAGNOSTICS") == "1"

BLOCK = re.compile(r"^```(?P<kind>[a-z ]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r'^    [A-Z_]+ = "(CL\d{4})", "(.*)";$', re.MULTILINE)

TITLES = dict(CODE.findall((ROOT / "crates/frontend/src/codes.rs").read_text()))


class Case(NamedTuple):
    """A program of a Markdown file, under a heading of its own, and what it must say."""

    path: Path
    heading: str
    program: str
    message: str


def cases_of(path):
    """The cases of a file: after each second-level heading a program and a message."""
    for section in re.split(r"^## ", path.read_text(), flags=re.MULTILINE)[1:]:
        heading = section.partition("\n")[0]
        blocks = BLOCK.findall(section)
        kinds = [kind for kind, _ in blocks]
        assert kinds == ["python", "text"], f"{path.name}, {heading}: a program and a message are needed, not {kinds}"
        yield Case(path, heading, blocks[0][1], blocks[1][1])


ALL_CASES = [case for path in sorted(CASES.glob("*.md")) for case in cases_of(path)]


def case_id(case):
    return f"{case.path.stem}: {case.heading}"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a program that lies in a file ``program.py``, from the directory that it is in."""
    monkeypatch.chdir(tmp_path)

    def run_program(text):
        # Every program has the same name, and lines of the one before may still be remembered.
        linecache.clearcache()
        Path("program.py").write_text(text)
        exec(compile(text, "program.py", "exec"), {"__name__": "program"})

    return run_program


def error_of(run, program):
    """The exception that a program ends with, or None."""
    try:
        run(program)
    except (cl.Error, TypeError) as error:
        return error
    return None


def message_of(error):
    """What a user reads, without the reference to the pages."""
    if isinstance(error, cl.CompileError):
        return str(error).partition("\n\nmore: ")[0].strip("\n") + "\n"
    return f"{type(error).__name__}: {error}\n"


def write_message(path, program, message):
    """Puts the message into the ``text`` block after the program's."""
    block = re.compile(rf"(^```python[a-z ]*\n{re.escape(program)}```\n\n```text\n).*?(?=^```$)", BLOCK.flags)
    text, count = block.subn(lambda found: found[1] + message, path.read_text())
    assert count == 1
    path.write_text(text)


class TestMessages:
    def test_there_are_many(self):
        assert len(ALL_CASES) >= 40

    def test_no_two_programs_are_the_same(self):
        assert len({case.program for case in ALL_CASES}) == len(ALL_CASES)

    @pytest.mark.parametrize("case", ALL_CASES, ids=case_id)
    def test_program_gives_the_message_beside_it(self, run, case):
        error = error_of(run, case.program)
        assert error is not None, "the program is right"
        if isinstance(error, cl.CompileError):
            pages = str(error).rpartition("\n\nmore: ")[2].split(", ")
            assert pages == sorted({diagnostic["page"] for diagnostic in error.diagnostics})
            assert all((ROOT / page).is_file() for page in pages)
        if UPDATE:
            write_message(case.path, case.program, message_of(error))
        else:
            assert message_of(error) == case.message


def page_of(code):
    return (PAGES / f"{code}.md").read_text()


def blocks_of(code):
    """The blocks of a page by their kind; every page has each of the three once."""
    blocks = BLOCK.findall(page_of(code))
    assert [kind for kind, _ in blocks] == ["python bad", "text", "python fixed"]
    return dict(blocks)


class TestPages:
    def test_there_is_one_for_every_code_and_no_other(self):
        assert TITLES
        assert {path.stem for path in PAGES.glob("CL*.md")} == set(TITLES)

    @pytest.mark.parametrize("code", TITLES)
    def test_begins_with_the_code_and_its_title(self, code):
        assert page_of(code).startswith(f"# {code}: {TITLES[code]}\n\n")

    @pytest.mark.parametrize("code", TITLES)
    def test_bad_program_gives_exactly_this_error_as_shown(self, run, code):
        blocks = blocks_of(code)
        error = error_of(run, blocks["python bad"])
        assert isinstance(error, cl.CompileError)
        assert {diagnostic["code"] for diagnostic in error.diagnostics} == {code}
        if UPDATE:
            write_message(PAGES / f"{code}.md", blocks["python bad"], message_of(error))
        else:
            assert message_of(error) == blocks["text"]

    @pytest.mark.parametrize("code", TITLES)
    def test_fixed_program_runs(self, run, code):
        run(blocks_of(code)["python fixed"])

    def test_index_lists_all_of_them(self):
        lines = [f"- [{code}]({code}.md): {title}" for code, title in sorted(TITLES.items())]
        index = PAGES / "README.md"
        introduction = index.read_text().partition("\n- ")[0].rstrip("\n")
        wanted = introduction + "\n\n" + "\n".join(lines) + "\n"
        if UPDATE:
            index.write_text(wanted)
        else:
            assert index.read_text() == wanted
