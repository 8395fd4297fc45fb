"""What the records of a profile add up to: plain data for text, pages and JSON."""

import linecache
from collections import defaultdict

#: What devices do; everything else is done by host threads.
DEVICE_WORK = ("kernel", "copy", "fill", "host task")
#: How many gaps are told of.
MOST_GAPS = 20


def union(spans):
    """The disjoint spans that cover what these cover, in order."""
    merged = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def covered(spans):
    """How long at least one of the spans lasts."""
    return sum(end - start for start, end in union(spans))


def _source(file, line):
    return linecache.getline(file, line).strip() if file and line else ""


def _add_up(records, key):
    """Calls, total, shortest and longest time of the records of each key."""
    sums = {}
    for record in records:
        took = record.end - record.start
        one = sums.get(key(record))
        if one is None:
            sums[key(record)] = {
                "calls": 1,
                "total": took,
                "shortest": took,
                "longest": took,
                "items": record.items,
                "bytes": record.bytes,
            }
        else:
            one["calls"] += 1
            one["total"] += took
            one["shortest"] = min(one["shortest"], took)
            one["longest"] = max(one["longest"], took)
            one["items"] += record.items
            one["bytes"] += record.bytes
    return sorted(sums.items(), key=lambda entry: -entry[1]["total"])


def _kernels(records):
    work = [record for record in records if record.category in ("kernel", "host task")]
    rows = _add_up(work, lambda record: (record.name, record.category, record.device))
    return [{"name": name, "category": category, "device": device, **sums} for (name, category, device), sums in rows]


def _lines(records):
    work = [record for record in records if record.category in DEVICE_WORK and record.file]
    compiled = defaultdict(int)
    for record in records:
        if record.category == "compile" and record.file:
            compiled[record.file, record.line] += record.end - record.start
    rows = _add_up(work, lambda record: (record.file, record.line))
    found = [
        {"file": file, "line": line, "source": _source(file, line), "compile": compiled.pop((file, line), 0), **sums}
        for (file, line), sums in rows
    ]
    for (file, line), took in compiled.items():
        none = {"calls": 0, "total": 0, "shortest": 0, "longest": 0, "items": 0, "bytes": 0}
        found.append({"file": file, "line": line, "source": _source(file, line), "compile": took, **none})
    return found


def _copies(records):
    copies = [record for record in records if record.category == "copy"]
    rows = _add_up(copies, lambda record: (record.name, record.device, record.why, record.file, record.line))
    return [
        {"direction": direction, "device": device, "why": why, "file": file, "line": line, **sums}
        for (direction, device, why, file, line), sums in rows
    ]


def _compilations(records):
    found = {}
    for record in records:
        if record.category not in ("compile", "cache hit"):
            continue
        one = found.setdefault(record.name, {"name": record.name, "stages": {}, "memory_hits": 0, "disk_hits": 0})
        if record.category == "compile":
            stages = one["stages"]
            stages[record.why] = stages.get(record.why, 0) + record.end - record.start
        else:
            one["memory_hits" if record.why == "memory" else "disk_hits"] += 1
    for one in found.values():
        one["total"] = sum(one["stages"].values())
    return sorted(found.values(), key=lambda one: -one["total"])


def _memory(records):
    """Bytes in use over time, since the profile began: what was freed may be older."""
    now = peak = taken = allocations = fresh = 0
    for record in records:
        if record.category == "allocation":
            allocations += 1
            fresh += record.why != "kept memory"
            taken += record.bytes
            now += record.bytes
            peak = max(peak, now)
        elif record.category == "free":
            now -= record.bytes
    return {"allocations": allocations, "from_system": fresh, "bytes": taken, "peak": peak, "left": now}


def _gaps(records, busy, duration):
    """The longest times in which no device worked, and what the host did in them."""
    if not busy:
        return []
    edges = [0, *(edge for span in busy for edge in span), duration]
    gaps = [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end > start]
    gaps.sort(key=lambda gap: gap[0] - gap[1])
    chosen = sorted(gaps[:MOST_GAPS])
    host = [record for record in records if record.category not in DEVICE_WORK and record.end > record.start]
    rows = []
    for start, end in chosen:
        doing = defaultdict(list)
        for record in host:
            if record.start >= end:
                break
            if record.end > start:
                doing[record.category].append((max(record.start, start), min(record.end, end)))
        sums = sorted(((category, covered(spans)) for category, spans in doing.items()), key=lambda one: -one[1])
        rows.append({"start": start, "end": end, "host": dict(sums)})
    return sorted(rows, key=lambda row: row["start"] - row["end"])


def _threads(records, names):
    ids = dict.fromkeys(record.thread for record in records if record.category not in DEVICE_WORK)
    return [{"thread": number, "name": names.get(number, f"thread {number}")} for number in ids]


def _lanes(records, duration):
    spans = defaultdict(list)
    for record in records:
        if record.category in DEVICE_WORK:
            spans[record.device, record.queue].append((record.start, record.end))
    return [
        {"device": device, "queue": queue, "busy": covered(all_of_it), "count": len(all_of_it), "duration": duration}
        for (device, queue), all_of_it in spans.items()
    ]


def analyse(records, duration, names, dropped):
    """Everything but the records themselves, as plain data."""
    work = [(record.start, record.end) for record in records if record.category in DEVICE_WORK]
    busy = union(work)
    busy_ns = sum(end - start for start, end in busy)
    of = defaultdict(list)
    moved = {"host to device": 0, "device to host": 0, "device to device": 0}
    hits = {"memory": 0, "disk": 0}
    for record in records:
        of[record.category].append((record.start, record.end))
        if record.category == "copy":
            moved[record.name] = moved.get(record.name, 0) + record.bytes
        elif record.category == "cache hit":
            hits[record.why] = hits.get(record.why, 0) + 1
    compilations = _compilations(records)
    return {
        "duration": duration,
        "summary": {
            "kernels": len(of["kernel"]) + len(of["host task"]),
            "kernel_time": sum(end - start for start, end in of["kernel"] + of["host task"]),
            "copies": len(of["copy"]),
            "copy_time": sum(end - start for start, end in of["copy"]),
            "bytes_moved": moved,
            "busy": busy_ns,
            "gaps": duration - busy_ns,
            "compile_time": covered(of["compile"]),
            "compiled": sum(1 for one in compilations if {"LLVM", "SPIR-V"} & set(one["stages"])),
            "memory_hits": hits["memory"],
            "disk_hits": hits["disk"],
            "wait_time": covered(of["wait"]),
            "calls": len(of["call"]),
            "dropped": dropped,
        },
        "kernels": _kernels(records),
        "lines": _lines(records),
        "copies": _copies(records),
        "compile": compilations,
        "memory": _memory(records),
        "gaps": _gaps(records, busy, duration),
        "lanes": _lanes(records, duration),
        "threads": _threads(records, names),
    }


def chrome_trace(records, names):
    """The records in the trace-event format: a process for the host's threads, one for each device."""
    events = [{"ph": "M", "pid": 0, "tid": 0, "name": "process_name", "args": {"name": "host"}}]
    devices, queues, threads = {}, {}, set()
    in_use = 0
    for record in records:
        arguments = {"timing": record.timing}
        if record.file:
            arguments["line"] = f"{record.file}:{record.line}"
        for field in ("items", "bytes", "why"):
            value = getattr(record, field)
            if value:
                arguments[field] = value
        if record.category in DEVICE_WORK:
            if record.device not in devices:
                devices[record.device] = len(devices) + 1
                about = {"name": "process_name", "args": {"name": record.device}}
                events.append({"ph": "M", "pid": devices[record.device], "tid": 0, **about})
            process = devices[record.device]
            lane = (process, record.queue)
            if lane not in queues:
                queues[lane] = len(queues) + 1
                about = {"name": "thread_name", "args": {"name": record.queue}}
                events.append({"ph": "M", "pid": process, "tid": queues[lane], **about})
            thread = queues[lane]
            arguments["waited_us"] = (record.start - record.submitted) / 1e3
        else:
            process, thread = 0, record.thread
            if thread not in threads:
                threads.add(thread)
                about = {"name": "thread_name", "args": {"name": names.get(thread, f"thread {thread}")}}
                events.append({"ph": "M", "pid": 0, "tid": thread, **about})
        if record.category in ("allocation", "free"):
            in_use += record.bytes if record.category == "allocation" else -record.bytes
            memory = {"ph": "C", "pid": 0, "tid": 0, "name": "memory in use", "args": {"bytes": in_use}}
            events.append({**memory, "ts": record.start / 1e3})
            continue
        event = {"name": record.name, "cat": record.category, "pid": process, "tid": thread, "args": arguments}
        if record.end > record.start:
            event |= {"ph": "X", "ts": record.start / 1e3, "dur": (record.end - record.start) / 1e3}
        else:
            event |= {"ph": "i", "ts": record.start / 1e3, "s": "t"}
        events.append(event)
    return {"traceEvents": events, "displayTimeUnit": "ns"}
