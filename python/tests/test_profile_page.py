"""The page of ``colocate.profile`` in a real browser: what it shows, and what it does when touched."""

import os
import time

import browser
import numpy as np
import pytest

import colocate as cl
from colocate._profile import Record

RULER, ROW = 28, 22


@pytest.fixture(scope="module")
def chromium():
    path = browser.find()
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(browser.NAMES)} is installed")
    opened = browser.Browser(path)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def program():
    """The profile of a small program on every device there is."""

    @cl.kernel
    def scale(a, factor):
        i = cl.get_global_id(0)
        a[i] = a[i] * factor

    data = np.arange(200_000.0)
    with cl.profile() as p:
        for device in cl.devices():
            x = cl.asarray(data, device=device)
            for _ in range(4):
                x = x * 1.01 + 1
            scale(x, 0.5)
            cl.asnumpy(cl.sort(x))
            cl.asarray(x, copy=True).tolist()
    return p


def made_up(records):
    """A profile of these records."""
    p = cl.profile()
    p._records = sorted(records, key=lambda record: record.start)
    p._duration = max((record.end for record in records), default=1_000_000)
    p._began = 0
    return p


def kernel(name, start, end, **more):
    about = {"category": "kernel", "timing": "device", "submitted": start, "thread": 1, "device": "native:cpu:0"}
    about |= {"queue": "queue #1", "file": "a.py", "line": 3, "items": 10, "bytes": 0, "why": None}
    return Record(**{**about, "name": name, "start": start, "end": end, **more})


@pytest.fixture
def shown(chromium, tmp_path):
    """Opens the page of a profile; it must neither complain nor ask for anything else."""

    def show(p, **how):
        path = tmp_path / "profile.html"
        p.save_html(path)
        chromium.open(path, **how)
        chromium.settle()
        assert chromium.complaints == []
        assert chromium.requests == [f"file://{path}"]
        return chromium

    return show


def bars(page):
    return int(page.evaluate("document.getElementById('timeline').dataset.bars"))


def view(page):
    return [float(edge) for edge in page.evaluate("document.getElementById('timeline').dataset.view").split()]


def box(page):
    """Left, top and width of the timeline."""
    return page.evaluate("(r => [r.left, r.top, r.width])(document.getElementById('timeline').getBoundingClientRect())")


def pixel(page, x, y):
    code = f"[...document.getElementById('timeline').getContext('2d').getImageData({x}, {y}, 1, 1).data]"
    return page.evaluate(code)


def text(page, where):
    return page.evaluate(f"document.querySelector({where!r}).innerText")


def test_a_program_is_shown(shown, program, tmp_path):
    page = shown(program)
    data = program.to_dict()
    cards = text(page, "#cards")
    assert f"Kernels\n{data['summary']['kernels']}\n" in cards
    names = page.evaluate("[...document.querySelectorAll('#kernels tbody tr')].map(row => row.dataset.name)")
    assert names == [row["name"] for row in data["kernels"]]
    lines = text(page, "#lines")
    assert "test_profile_page.py" in lines and "x = x * 1.01 + 1" in lines
    assert "host data becomes an array" in text(page, "#copies")
    assert text(page, "#moved").startswith("host to device\n")
    assert "scale" in text(page, "#compile")
    assert bars(page) > 10
    folder = os.environ.get("COLOCATE_TEST_SCREENSHOTS") or str(tmp_path)
    for dark in (False, True):
        shown(program, dark=dark)
        path = os.path.join(folder, f"profile-{'dark' if dark else 'light'}.png")
        page.screenshot(path)
        assert os.path.getsize(path) > 20_000


def test_bars_are_where_the_times_are(shown):
    page = shown(made_up([kernel("first", 0, 250), kernel("second", 500, 1000)]))
    _, _, width = box(page)
    gutter, y = 176, RULER + ROW // 2
    room = width - gutter - 4
    empty = pixel(page, int(gutter + 0.375 * room), y + 6)
    first = pixel(page, int(gutter + 0.24 * room), y + 6)
    second = pixel(page, int(gutter + 0.95 * room), y + 6)
    assert len({tuple(empty), tuple(first), tuple(second)}) == 3
    assert bars(page) == 2


def test_hovering_tells_what_a_bar_is(shown):
    copy = kernel("host to device", 0, 1_000_000, category="copy", bytes=1 << 20, why="y is read on the host")
    page = shown(made_up([copy]))
    left, top, width = box(page)
    page.mouse("mouseMoved", left + width / 2, top + RULER + ROW / 2)
    tip = text(page, "#tip")
    for part in ("host to device", "1.00 ms", "1.00 MiB", "a.py:3", "y is read on the host", "measured on the device"):
        assert part in tip, tip
    page.mouse("mouseMoved", left + width / 2, top + 2)
    assert page.evaluate("getComputedStyle(document.getElementById('tip')).display") == "none"


def test_the_wheel_zooms_dragging_moves_and_a_double_click_shows_all(shown):
    page = shown(made_up([kernel(f"k{n}", 1000 * n, 1000 * n + 900) for n in range(100)]))
    left, top, width = box(page)
    x, y = left + width / 2, top + RULER + ROW / 2
    assert view(page) == [0, 99_900] and bars(page) == 100
    for _ in range(4):
        page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-120)
    start, end = view(page)
    assert 0 < start < end < 99_900 and end - start < 0.2 * 99_900
    assert bars(page) < 30
    page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    page.mouse("mouseMoved", x + 200, y, button="left", buttons=1)
    page.mouse("mouseReleased", x + 200, y, button="left", clickCount=1)
    moved = view(page)
    assert moved[0] < start and abs((moved[1] - moved[0]) - (end - start)) < 1
    page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=2)
    page.mouse("mouseReleased", x, y, button="left", clickCount=2)
    assert view(page) == [0, 99_900]
    page.evaluate("document.getElementById('in').click()")
    page.settle()
    assert view(page)[1] - view(page)[0] < 99_900
    page.evaluate("document.getElementById('all').click()")
    page.settle()
    assert view(page) == [0, 99_900]


def test_a_click_marks_what_is_called_the_same(shown):
    page = shown(made_up([kernel("one", 0, 500), kernel("two", 500, 1000)]))
    left, top, width = box(page)
    page.mouse("mousePressed", left + width - 50, top + RULER + ROW / 2, button="left", buttons=1, clickCount=1)
    page.mouse("mouseReleased", left + width - 50, top + RULER + ROW / 2, button="left", clickCount=1)
    marked = "[...document.querySelectorAll('tr.chosen')].map(row => row.dataset.name)"
    assert page.evaluate(marked) == ["two"]
    page.evaluate("document.querySelector('#kernels tr[data-name=one]').click()")
    assert page.evaluate(marked) == ["one"]


def test_a_column_sorts(shown):
    page = shown(made_up([kernel("long", 0, 500), kernel("short", 500, 501), kernel("short", 600, 601)]))
    names = "[...document.querySelectorAll('#kernels tbody tr')].map(row => row.dataset.name)"
    assert page.evaluate(names) == ["long", "short"]
    page.evaluate("[...document.querySelectorAll('#kernels th')].find(cell => cell.innerText === 'calls').click()")
    assert page.evaluate(names) == ["short", "long"]


def test_light_and_dark_follow_the_system_until_told_otherwise(shown):
    background = "getComputedStyle(document.body).backgroundColor"
    p = made_up([kernel("one", 0, 500)])
    light = shown(p).evaluate(background)
    page = shown(p, dark=True)
    dark = page.evaluate(background)
    assert light != dark
    page.evaluate("document.getElementById('theme').click()")
    assert page.evaluate(background) == light


def test_nothing_recorded_is_a_page_too(shown):
    page = shown(made_up([]))
    assert bars(page) == 0
    assert text(page, "#kernels") == "No kernel ran."


def test_a_hundred_thousand_events_are_drawn_and_moved_quickly(shown):
    names = [f"kernel_{n}" for n in range(40)]
    records = [kernel(names[n % 40], 1000 * n, 1000 * n + 700, line=n % 50) for n in range(100_000)]
    before = time.perf_counter()
    page = shown(made_up(records))
    opened = time.perf_counter() - before
    assert 500 < bars(page) < 5000
    left, top, width = box(page)
    before = time.perf_counter()
    for _ in range(10):
        page.mouse("mouseWheel", left + width / 2, top + RULER + ROW / 2, deltaX=0, deltaY=-120)
    zoomed = time.perf_counter() - before
    assert view(page)[1] - view(page)[0] < 1e6
    # Far above what it takes (1 s and 0.7 s), far below what nobody would wait for.
    assert opened < 15 and zoomed < 10


def test_texts_of_the_program_are_no_markup(shown):
    name = "</script><script>document.title = 'taken'</script><b>&amp;"
    page = shown(made_up([kernel(name, 0, 500, why=name, file=name)]))
    assert page.evaluate("document.title") == "colocate profile"
    assert page.evaluate("document.querySelector('#kernels tbody tr').dataset.name") == name


def test_the_notebook_shows_the_page_in_a_frame(chromium, program, tmp_path):
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><body>{program._repr_html_()}</body>", encoding="utf-8")
    chromium.open(path)
    chromium.settle()
    assert chromium.complaints == []
    inside = "document.querySelector('iframe').contentDocument.getElementById('timeline').dataset.bars"
    assert int(chromium.evaluate(inside)) > 10
