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

# Far longer than the test waits, so that only a stop ends it; the watcher says that the fit has begun.
LONG = """
import lgn, sys
data = lgn.generate("ladder", sections=3, trajectories=5, noise=0.05)
try:
    {call}
except KeyboardInterrupt:
    sys.exit(42)
"""
FIT = 'lgn.fit(data, structure="sd", bootstrap=10**6, threads={}, progress={})'
WATCH = "lambda *_: print('begun', flush=True)"


def long_fit(**options):
    data = lgn.generate("ladder", sections=3, trajectories=5, noise=0.05)
    return lgn.fit(data, structure="sd", bootstrap=10**6, **options)


@pytest.mark.parametrize(
    "call",
    [
        FIT.format(1, WATCH),
        FIT.format(2, WATCH),
        "lgn.magnus(lambda t: [[0, 1 + t], [-1, 0]], range(10**6), [print('begun', flush=True) or 1, 0])",
    ],
)
def test_ctrl_c(call):
    command = [sys.executable, "-c", LONG.format(call=call)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        child.stdout.read()
        assert child.wait(timeout=600) == 42


def test_a_function_can_watch_and_stop():
    seen = []

    def watch(task, step, steps, error):
        seen.append((task, step, steps, error))
        return len(seen) < 3

    model = long_fit(progress=watch)
    assert len(seen) == 3 and model.fit["bootstrap"] < 10**6
    assert isinstance(seen[0][0], str) and 0 <= seen[0][1] <= seen[0][2]


@pytest.mark.parametrize("threads", [1, 2])
def test_what_the_watcher_raises_comes_out(threads):
    def watch(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        long_fit(progress=watch, threads=threads)


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
    worker.join(timeout=600)
    assert not worker.is_alive() and counted > 1000


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_a_terminal_sees_a_bar():
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", LONG.format(call=FIT.format(1, True))]
    with subprocess.Popen(command, stderr=theirs) as child:
        os.close(theirs)
        text = b""
        while "░".encode() not in text:
            text += os.read(ours, 1000)
        child.send_signal(signal.SIGINT)
        try:
            while chunk := os.read(ours, 1000):
                text += chunk
        except OSError:
            pass
        assert child.wait(timeout=600) == 42
    os.close(ours)
    assert "step" in text.decode() and text.endswith(b"\r\x1b[K")


def test_no_terminal_no_bar(capfd):
    lgn.fit(lgn.generate("rlc", noise=0.01), structure="metric")
    assert capfd.readouterr() == ("", "")
