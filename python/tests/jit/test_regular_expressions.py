"""The module `re`, and `logging`, whose functions are Python's own."""

import logging
import re

import pytest

import colocate as cl

ADDRESS = re.compile(r"(\w+)@(\w+)\.com")
LOGGER = logging.getLogger("colocate.tests")


def with_a_pattern(s):
    first = ADDRESS.search(s)
    return (
        ADDRESS.findall(s),
        ADDRESS.sub("-", s),
        (first.group(1), first.groups(), first[2], first.span(), first.group(1, 2)),
        ADDRESS.match("none") is None,
        [m.group(2) for m in ADDRESS.finditer(s)],
    )


def with_texts(s):
    return (
        re.split("[0-9]", s),
        re.subn("[0-9]", "x", s),
        re.escape(s + "."),
        re.fullmatch("[a-z0-9]+", s) is not None,
        re.findall("[a-z]", s),
        re.findall("([a-z])([0-9])", s),
        re.sub("B", "-", s, flags=re.IGNORECASE),
    )


def parts(s):
    if found := re.match("([a-z])([0-9])?", s):
        return found.group(1) + "!", found.group(2) is None, found.end(1), found.expand(r"<\1>")
    return None


def compiled_inside(s):
    p = re.compile("([a-z])", re.IGNORECASE)
    return p.findall(s.upper()), p.pattern, p.groups


@pytest.mark.parametrize(
    "program, text",
    [
        (with_a_pattern, "me@x.com, you@y.com"),
        (with_texts, "a1b22"),
        (parts, "a1b22"),
        (parts, "b"),
        (parts, "1"),
        (compiled_inside, "a1b22"),
    ],
)
def test_functions_patterns_and_matches_give_what_python_gives(run_both, program, text):
    run_both(program, text)


def searched(pattern, s):
    return pattern.search(s) is not None, re.search("a" * len(s), "caaat").start()


def test_patterns_are_arguments_and_made_of_any_text(run_both):
    run_both(searched, ADDRESS, "ab")


def wrong_pattern(s):
    try:
        return re.sub("(", s, s)
    except re.error as e:
        return str(e)


def test_a_wrong_pattern_raises_when_it_is_used(run_both):
    run_both(wrong_pattern, "a")


def not_found(s):
    return re.match("x", s).group()


def test_nothing_found_has_no_groups(run_both):
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'group'"):
        cl.jit(not_found)("abc")


def groups_that_split(s):
    return re.split("([,;])", s)


def test_what_no_rule_tells_is_refused():
    with pytest.raises(cl.CompileError, match=r"re\.split"):
        cl.jit(groups_that_split)("a,b")


def logged(x):
    logging.warning("w %d", x)
    LOGGER.info("i %s", x)
    logging.getLogger(__name__).error("e")
    return x


def test_what_is_logged_is_logged_once(caplog):
    with caplog.at_level(logging.INFO):
        assert cl.jit(logged)(2) == 2
    written = [(one.name, one.levelname, one.getMessage()) for one in caplog.records]
    mine = [("root", "WARNING", "w 2"), ("colocate.tests", "INFO", "i 2"), (__name__, "ERROR", "e")]
    assert written == mine
