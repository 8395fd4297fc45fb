# Everything a bare Debian or Ubuntu machine with Rust and Python >= 3.11 needs is installed by the
# targets themselves: Debian packages if missing, a virtual environment, Python packages.

VENV := .venv
PYTHON := $(VENV)/bin/python
export COLOCATE_TEST_PREFIX := $(abspath $(VENV))

.PHONY: demo test bench develop browser lint test-rust test-python wheel clean

# A short tour of what colocate does.
demo: develop
	$(PYTHON) examples/tour.py

# All checks: formatting, lints, crate edges, Rust tests, Python tests, docstrings, examples.
test: develop browser lint test-rust test-python

# Benchmarks against numpy, numba, jax, numexpr, dpnp and dpctl, in an environment of their own.
bench:
	scripts/bench

develop:
	scripts/setup $(VENV)

# For the tests that look at pages; they are skipped where there is none.
browser:
	scripts/setup_browser

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- --deny warnings
	$(PYTHON) scripts/check_crate_edges.py
	$(VENV)/bin/ruff check --quiet python tests examples bench scripts
	$(VENV)/bin/ruff format --quiet --check python tests examples bench scripts

test-rust:
	scripts/test_rust

test-python:
	$(PYTHON) -m pytest

# A wheel for other machines, in dist/.
wheel: develop
	$(VENV)/bin/maturin build --release --out dist

clean:
	rm -rf target $(VENV) .venv-bench dist
