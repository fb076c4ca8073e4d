"""Long calls: the lock is free, Ctrl-C works, and a terminal sees a bar."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import lgn

# Hours of training, so that only a stop ends it.
LONG = """
import lgn, sys
data = lgn.generate("ladder", sections=10, trajectories=5, noise=0.05)
print("ready", flush=True)
try:
    lgn.fit(data, structure="sd", method="adam", epochs=10**8)
except KeyboardInterrupt:
    sys.exit(42)
"""


def long_fit(**options):
    data = lgn.generate("ladder", sections=10, trajectories=5, noise=0.05)
    return lgn.fit(data, structure="sd", method="adam", epochs=10**8, **options)


def test_ctrl_c():
    with subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(1)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=60) == 42


def test_a_function_can_watch_and_stop():
    seen = []

    def watch(task, step, steps, error):
        seen.append((task, step, steps, error))
        return len(seen) < 3

    with pytest.warns(lgn.IdentificationWarning, match="not-converged"):
        model = long_fit(progress=watch)
    assert len(seen) == 3 and not model.fit["converged"]
    assert isinstance(seen[0][0], str) and 0 <= seen[0][1] <= seen[0][2]


def test_what_the_watcher_raises_comes_out():
    def watch(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        long_fit(progress=watch)


@pytest.mark.filterwarnings("ignore::lgn.IdentificationWarning")
def test_the_lock_is_free():
    stop = threading.Event()
    worker = threading.Thread(
        target=lambda: long_fit(progress=lambda *_: not stop.is_set()), daemon=True
    )
    worker.start()
    time.sleep(0.3)
    # With the lock held, one pass would take as long as the fit does between two looks at its watcher.
    counted = 0
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        counted += 1
    stop.set()
    worker.join(timeout=60)
    assert not worker.is_alive() and counted > 1000


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_a_terminal_sees_a_bar():
    import pty

    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=theirs, text=True
    )
    with child:
        os.close(theirs)
        assert child.stdout.readline() == "ready\n"
        text = b""
        while "░".encode() not in text:
            text += os.read(ours, 1000)
        child.send_signal(signal.SIGINT)
        try:
            while chunk := os.read(ours, 1000):
                text += chunk
        except OSError:
            pass
        assert child.wait(timeout=60) == 42
    os.close(ours)
    assert "step" in text.decode() and text.endswith(b"\r\x1b[K")


def test_no_terminal_no_bar(capfd):
    lgn.fit(lgn.generate("rlc", noise=0.01), structure="metric")
    assert capfd.readouterr() == ("", "")
