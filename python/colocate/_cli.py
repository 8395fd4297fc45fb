"""The command ``colocate``: what devices there are, and why others are not."""

import argparse
import ctypes.util
import glob
import json
import os
import sys
from importlib import metadata

import colocate
from colocate import _native, _sycl


def _facts(device):
    return {
        "selector": device.selector,
        "backend": device.backend,
        "device_type": device.device_type,
        "aspects": sorted(device.aspects),
        **device.info(),
    }


def human_bytes(count):
    """A number of bytes as people read it."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.3g} TiB"


def _print_table(rows):
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def show_devices(as_json):
    """``colocate devices``."""
    devices = colocate.devices()
    if as_json:
        print(json.dumps([_facts(device) for device in devices], indent=2))
        return 0
    default = colocate.Device()
    rows = [("", "selector", "type", "name", "units", "memory", "float64", "driver")]
    for device in devices:
        rows.append(
            (
                "*" if device == default else "",
                device.selector,
                device.device_type,
                device.name,
                device.max_compute_units,
                human_bytes(device.global_mem_size),
                "yes" if device.has_aspect("fp64") else "no",
                device.driver_version,
            )
        )
    _print_table(rows)
    print("\n* the default device; COLOCATE_DEVICE chooses another")
    return 0


def _version(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _sycl_advice():
    """What is wrong with SYCL here, and the command that would fix it."""
    if _sycl.dpctl_folder() is None:
        return "dpctl, which brings the SYCL runtime, is not installed", _sycl.INSTALL
    if not any(driver.exists() for driver in _sycl.driver_candidates()):
        return "the SYCL runtime is there, but no OpenCL driver for the CPU", "pip install intel-opencl-rt"
    if os.environ.get("OCL_ICD_FILENAMES") not in map(str, _sycl.driver_candidates()):
        return f"OCL_ICD_FILENAMES={os.environ.get('OCL_ICD_FILENAMES')} names another driver", (
            "unset OCL_ICD_FILENAMES"
        )
    return "the SYCL runtime and a driver are installed, but it offers no device", (
        "pip install --force-reinstall dpctl intel-opencl-rt"
    )


def _cuda_report():
    gpus = glob.glob("/dev/nvidia[0-9]*")
    driver = ctypes.util.find_library("cuda") or ctypes.util.find_library("nvcuda")
    found = f"{len(gpus)} NVIDIA GPU(s) in this machine, driver library {driver or 'not found'}"
    return f"this version of colocate has no CUDA backend yet ({found})"


def human_costs(costs):
    """What it costs to use a device, in words."""
    return (
        f"a launch {costs['launch'] * 1e6:.3g} µs; "
        f"a copy there {costs['to_device_latency'] * 1e6:.3g} µs and {human_bytes(costs['to_device_rate'])}/s, "
        f"back {costs['to_host_latency'] * 1e6:.3g} µs and {human_bytes(costs['to_host_rate'])}/s; "
        f"kernels {human_bytes(costs['stream_rate'])}/s and {costs['operation_rate'] / 1e9:.3g} Gflop/s"
    )


def show_doctor(as_json, verbose=False):
    """``colocate doctor``."""
    report = []
    for state in _native._backend_states():
        devices = [f"{device.selector} ({device.name})" for device in state["devices"]]
        entry = {"backend": state["backend"], "found": bool(devices), "devices": devices, "why": None, "fix": None}
        if verbose:
            entry["costs"] = [device.costs() for device in state["devices"]]
        if not devices:
            entry["why"], entry["fix"] = state["error"], None
            if state["backend"] == "sycl":
                why, entry["fix"] = _sycl_advice()
                loaded = state["error"] is not None and _sycl.dpctl_folder() is not None
                entry["why"] = f"{why} ({state['error']})" if loaded else why
        report.append(entry)
    report.append({"backend": "cuda", "found": False, "devices": [], "why": _cuda_report(), "fix": None})
    if as_json:
        print(json.dumps(report, indent=2))
        return 0

    versions = {name: _version(name) for name in ("numpy", "dpctl", "intel-opencl-rt", "dpnp", "numba")}
    print(f"colocate {colocate.__version__}, Python {sys.version.split()[0]} in {sys.prefix}")
    print("  ".join(f"{name} {version}" for name, version in versions.items() if version))
    for entry in report:
        print(f"\n{entry['backend']:7} {'found' if entry['found'] else 'not found'}")
        for number, device in enumerate(entry["devices"]):
            print(f"        {device}")
            if verbose:
                print(f"          measured: {human_costs(entry['costs'][number])}")
        if entry["why"]:
            print(f"        why: {entry['why']}")
        if entry["fix"]:
            print(f"        fix: {entry['fix']}")
    return 0


def main(arguments=None):
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="colocate", description="What devices colocate can use here.")
    parser.add_argument("--version", action="version", version=f"colocate {colocate.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("devices", "list the devices"),
        ("doctor", "say of every backend whether it is there, why not, and what would help"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("--json", action="store_true", help="print JSON")
        if name == "doctor":
            more = "measure what launches and copies cost on every device"
            command.add_argument("-v", "--verbose", action="store_true", help=more)
    options = parser.parse_args(arguments)
    try:
        if options.command == "devices":
            return show_devices(options.json)
        return show_doctor(options.json, options.verbose)
    except colocate.Error as error:
        print(f"colocate: {error}", file=sys.stderr)
        return 1
