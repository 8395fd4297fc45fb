"""Arrays of records, and records, as arguments."""

import numpy as np
import pytest

import colocate as cl

BODIES = np.dtype([("x", "f8"), ("v", "f4"), ("n", "i2")])
NESTED = np.dtype([("at", [("x", "f8"), ("y", "f4")]), ("w", "f4", (3,)), ("name", "U4")])


def bodies(count=5):
    made = np.zeros(count, BODIES)
    made["x"] = np.arange(count) * 1.5
    made["v"] = np.arange(count)[::-1] * 0.25
    made["n"] = np.arange(count) + 3
    return made


def nested(count=3):
    made = np.zeros(count, NESTED)
    made["at"]["x"] = np.arange(count)
    made["w"] = np.arange(count * 3).reshape(count, 3)
    made["name"] = "ab"
    return made


def each_field(a, i):
    return a[i]["x"], a["v"][i], a[i][2], a["n"].sum(), a["x"][a["n"] > 4]


def shapes(a):
    return len(a), a.shape, a.size, a.ndim, a["x"].shape


def moved(a, dt):
    for i in range(len(a)):
        a[i]["x"] += a[i]["v"] * dt
        a[i]["n"] = i


def moved_by_items(a, dt):
    total = 0.0
    for body in a:
        body["x"] += body["v"] * dt
        total += body["x"] * body["n"]
    return total


def moved_as_a_whole(a, dt):
    a["x"] += a["v"] * dt
    a["n"][1:] = 7
    a["v"] = np.sqrt(a["x"])


def moved_in_parallel(a, dt):
    for i in cl.prange(a.size):
        a[i]["x"] = a[i]["x"] * dt + i
    return a["x"].max()


def sorted_by_field(a):
    for i in range(len(a) - 1):
        for j in range(len(a) - 1 - i):
            if a[j]["v"] > a[j + 1]["v"]:
                kept = a[j].copy()
                a[j] = a[j + 1]
                a[j + 1] = kept


def whole_records(a):
    a[0] = (9.0, 8.0, 7)
    a[1] = a[2]
    a[3:] = a[2:-1]
    x, v, n = a[4]
    return x + v + n


def parts(a):
    return a[1:4], a[2], a[a["n"] > 4], a[[0, 2]]


@pytest.mark.parametrize(
    "a", (bodies(), bodies(9)[::2], bodies()[::-1], bodies(0)), ids=("all", "some", "back", "none")
)
def test_arrays_of_records(run_both, a):
    run_both(shapes, a)
    for function in (moved, moved_by_items, moved_as_a_whole):
        run_both(function, a, 0.5)
    run_both(sorted_by_field, a)
    if a.size:
        run_both(each_field, a, 1)
        run_both(moved_in_parallel, a, 0.5)
        run_both(whole_records, a)
        run_both(parts, a)


def of_one(body):
    body["x"] += 2.5
    body["n"] = 4
    return body["x"] * body["v"], body


def test_single_records(run_both):
    run_both(of_one, bodies()[2])
    run_both(of_one, bodies()[2].copy())
    a = bodies()
    cl.jit(of_one)(a[2])
    assert a[2]["x"] == 5.5 and a[2]["n"] == 4


def by_attributes(a):
    for body in a:
        body.x += body.v
        body.n = 2
    a.v[1] = 5
    return a[0].x + a.x.sum()


def test_fields_are_attributes_of_record_arrays(run_both):
    run_both(by_attributes, bodies().view(np.recarray))


def inside(a):
    a["at"]["x"] *= 2
    a[1]["w"][0] = 9
    a[2]["w"] = 4
    for one in a:
        one["w"][1] = one["at"]["x"]
    return a["w"].sum(), a[0]["w"].max(), a["w"].shape, a[1]["at"]["y"]


def matrix(a):
    a[1, 0]["x"] = 50
    a[0]["n"] = 3
    return a[1, 2]["x"], a[1]["x"], a["x"].T


def test_fields_with_fields_and_axes(run_both):
    run_both(inside, nested())
    run_both(matrix, bodies(6).reshape(2, 3))


def test_what_is_not_there_is_said():
    with pytest.raises(cl.CompileError, match="there is no field `mass`"):
        cl.jit(lambda a: a["mass"])(bodies())
    with pytest.raises(cl.CompileError, match="a field of the dtype object"):
        cl.jit(lambda a: a["what"])(np.zeros(2, [("x", "f8"), ("what", "O")]))
    with pytest.raises(cl.CompileError, match="a record of 3 fields"):

        @cl.jit
        def put(a):
            a[0] = (1, 2)

        put(bodies())


def test_a_read_only_array_of_records_stays_as_it_is():
    a = bodies()
    a.flags.writeable = False
    with pytest.raises((ValueError, cl.CompileError)):
        cl.jit(moved)(a, 0.5)
    assert (a == bodies()).all()


def scattered(a, order):
    a[a["n"] > 5] = (1.0, 2.0, 3)
    a[[0, 2]] = a[[2, 0]]
    a[order] = a


def taken_from_the_end(a, positions):
    a[positions.pop()].x += 1
    return len(positions)


def test_records_by_index_arrays_and_masks(run_both):
    run_both(scattered, bodies(), np.array([2, 0, 1, 4, 3]))
    run_both(taken_from_the_end, bodies().view(np.recarray), [1, 2, 3])
    with pytest.raises(cl.CompileError, match="cannot be put into a record"):

        @cl.jit
        def put(a):
            a[:2] = [(1, 2, 3), (3, 4, 5)]

        put(bodies())


LINKS = np.dtype([("a", "i8"), ("b", "i8")])
ALIGNED = np.dtype([("n", "i1"), ("at", [("x", "f8"), ("y", "f4")]), ("w", "f4", (2, 3))], align=True)


def made(n):
    found = np.empty(n, dtype=BODIES)
    for i in range(n):
        found[i]["x"] = i * 1.5
        found["v"][i] = i
        found[i]["n"] = -i
    return found, found[1:], found[0]


def made_in_parallel(n):
    found = np.zeros(n, BODIES)
    for i in cl.prange(n):
        found[i]["x"] = i * 1.5
    return found, found["x"].sum()


def made_nested(n):
    found = np.ones((n, 2), dtype=ALIGNED)
    found[1, 0]["at"]["y"] = 3
    found["w"][0, 1, 1] = 7
    return found


def made_and_put_into(a):
    found = np.zeros(shape=len(a), dtype=BODIES)
    found[1] = a[2]
    found[2:] = a[:-2]
    a[0] = found[1]
    return found


def linked(n):
    found = []
    links = np.zeros(n, LINKS)
    for i in range(n):
        links[i] = (i, i * i)
        if links[i]["b"] % 2 == 0:
            found.append(links[i]["a"])
    return links, found


class TestNewRecords:
    @pytest.mark.parametrize("function", [made, made_in_parallel, made_nested, linked])
    def test_they_are_made(self, run_both, function):
        run_both(function, 4)

    def test_they_are_put_into_others(self, run_both):
        run_both(made_and_put_into, bodies())


def later_ones(a):
    return a[1:], a[0]


def test_parts_of_record_arrays_are_record_arrays(run_both):
    later, _ = run_both(later_ones, bodies().view(np.recarray))
    assert type(later) is np.recarray
    later, _ = run_both(later_ones, bodies())
    assert type(later) is np.ndarray


def changed_and_returned(a):
    a["x"][0] = 7.0
    return a


def every_second(a):
    return a[1::2]


def test_record_arrays_that_are_returned_are_the_callers():
    for given in (bodies(), bodies().view(np.recarray)):
        assert cl.jit(changed_and_returned)(given) is given
        part = cl.jit(every_second)(given)
        assert type(part) is type(given)
        np.testing.assert_array_equal(part, given[1::2])
        part["x"] = -1.0
        assert (given["x"][1::2] == -1.0).all()


def same_one(one):
    return one


def test_a_record_that_is_returned_whole_is_the_callers():
    one = bodies()[0]
    assert cl.jit(same_one)(one) is one


TITLED = np.dtype([(("mass in kg", "m"), "f8"), ("n", "i4")])
PEOPLE = np.dtype([("age", "i4"), ("name", "U8"), ("code", "S3"), ("born", "M8[D]")])


def people():
    made = np.zeros(3, PEOPLE)
    made["age"] = [30, 41, 52]
    made["name"] = ["Ada", "Bert", "Cleo"]
    made["code"] = [b"a", b"bb", b"ccc"]
    made["born"] = ["2001-02-03", "1999-01-01", "1980-05-06"]
    return made


def texts_read(a):
    oldest = a[0]
    for one in a:
        if one["born"] < oldest["born"]:
            oldest = one
    names = [one["name"] for one in a]
    return oldest["name"], names, a["code"][1], a[1:]["name"], a["name"][a["age"] > 30], a[a["age"] > 30]


def texts_written(a):
    for i in range(len(a)):
        if a[i]["name"] == "Bert":
            a[i]["age"] += 1
        a[i]["name"] = a[i]["name"].upper()
    a["code"][0] = b"x"
    a[2]["name"] += "!"
    other = a.copy()
    other[0] = other[1]
    one = a[0].copy()
    one["name"] = "nobody"
    return other, one, a[2]


def texts_ignored(a):
    total = 0
    for one in a:
        total += one["age"]
    return total


@pytest.mark.parametrize("program", (texts_read, texts_written, texts_ignored))
def test_records_have_fields_of_texts_and_dates(run_both, program):
    run_both(program, people())


def renamed(one):
    one["name"] = one["name"] + "?"
    return one["name"], one["code"], one


def test_a_single_record_has_fields_of_texts(run_both):
    run_both(renamed, people()[1])


def whole(a):
    return a


def test_records_with_texts_that_are_returned_are_the_callers():
    given = people()
    assert cl.jit(whole)(given) is given


def likes(a, b):
    return (
        np.zeros_like(a),
        np.empty_like(a).shape,
        np.full_like(a, 4.5),
        np.ones_like(b, dtype=BODIES),
        np.full((2, 2), 3, BODIES),
        np.zeros(3, "i4,(2,)f8"),
        np.ones(2, a.dtype),
    )


def test_arrays_of_records_are_made_like_others(run_both):
    run_both(likes, bodies(), np.ones((2, 3)))
    made, *_ = run_both(likes, bodies().view(np.recarray), np.ones(2))
    assert type(made) is np.recarray


def with_texts(a):
    made = np.zeros(2, a.dtype)
    made[0] = a[1]
    made[1]["name"] = "new"
    return made


def test_records_with_texts_are_made(run_both):
    run_both(with_texts, people())


def by_title(a):
    a["mass in kg"][1] += 2.0
    return a["m"].sum() + a[1]["mass in kg"]


def test_titles_name_fields(run_both):
    run_both(by_title, np.ones(3, TITLED))


def dtypes(a, b):
    return a.dtype, a.dtype == b.dtype, np.zeros(1, b.dtype).dtype, a.dtype.names


def test_dtypes_of_records_are_results(run_both):
    run_both(dtypes, bodies(), people())
    run_both(dtypes, bodies(), bodies())
