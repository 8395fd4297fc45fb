"""A real browser for tests of pages: Chromium, driven through its debugging pipe.

Only the standard library is used. Pages are opened from files; nothing is fetched.
"""

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
#: Seconds for any one answer.
PATIENCE = 20


def find():
    """The path of a browser, or None. ``COLOCATE_TEST_BROWSER`` names another one."""
    given = os.environ.get("COLOCATE_TEST_BROWSER")
    if given is not None:
        return shutil.which(given)
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """A browser without a window, with one page."""

    def __init__(self, path):
        self._folder = tempfile.mkdtemp(prefix="colocate-browser-")
        arguments = [
            path,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--no-proxy-server",
            "--hide-scrollbars",
            f"--user-data-dir={self._folder}",
            "--remote-debugging-pipe",
            "about:blank",
        ]
        # The browser reads commands from descriptor 3 and answers on 4.
        command_end, self._commands = os.pipe()
        self._answers, answer_end = os.pipe()
        high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 50) for end in (command_end, answer_end)]
        quiet = os.open(os.devnull, os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, quiet, number) for number in (0, 1, 2)]
        actions += [(os.POSIX_SPAWN_DUP2, end, number) for end, number in zip(high, (3, 4), strict=True)]
        environment = {**os.environ, "HOME": self._folder}
        self._pid = os.posix_spawn(path, arguments, environment, file_actions=actions, setpgroup=0)
        for end in (command_end, answer_end, quiet, *high):
            os.close(end)
        self._unread = b""
        self._number = 0
        self._session = None
        #: What the page complained about since it was opened.
        self.complaints = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        #: Addresses that the page asked for, other than its own and data within it.
        self.requests = []

    def _receive(self, deadline):
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._answers], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            more = os.read(self._answers, 1 << 20)
            if not more:
                raise ConnectionError("the browser has ended")
            self._unread += more
        message, self._unread = self._unread.split(b"\0", 1)
        message = json.loads(message)
        self._note(message)
        return message

    def _note(self, message):
        method, about = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.complaints.append(str(about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.complaints.append(about["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])

    def call(self, method, **params):
        """Calls a method of the DevTools protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._commands, data) :]
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._receive(deadline)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, path, width=1280, height=1400, dark=False):
        """Opens a file and waits until it is loaded."""
        self.complaints.clear()
        self.requests.clear()
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}")
        self.wait_until("document.readyState === 'complete' && location.protocol === 'file:'")

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", expression))
        return answer["result"].get("value")

    def wait_until(self, expression):
        """Waits until an expression is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never true: {expression}")

    def settle(self):
        """Waits until what was asked for has been drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def mouse(self, kind, x, y, **more):
        """A real event of the mouse: mouseMoved, mousePressed, mouseReleased, mouseWheel."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
        self.settle()

    def screenshot(self, path):
        """Writes what the page looks like to a PNG file."""
        picture = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))

    def close(self):
        """Ends the browser."""
        self._session = None
        with contextlib.suppress(OSError, TimeoutError, RuntimeError):
            self.call("Browser.close")
        # Its own process group: what it started goes with it.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, 0)
        os.close(self._commands)
        os.close(self._answers)
        shutil.rmtree(self._folder, ignore_errors=True)


def version(path):
    """What the browser says it is."""
    return subprocess.run([path, "--version"], capture_output=True, text=True, timeout=PATIENCE).stdout.strip()
