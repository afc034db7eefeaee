"""What a killed writer leaves is told from what a living one is at, and taken away."""

import os
import signal
import subprocess
import sys

from cmb_harness.files import appearing_whole, sweep

WRITER = """
import os, sys
from cmb_harness.files import appearing_whole
with appearing_whole(sys.argv[1], ending=".mp4") as name:
    name.write_text("half")
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_only_what_killed_writers_of_this_machine_left_is_swept(tmp_path):
    target = tmp_path / "clip.mp4"
    target.write_text("whole")
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert writer.stdout.readline() == b"ready\n"
    (left,) = {path for path in tmp_path.iterdir() if path != target}
    # Another machine that shares the folder may be at work on its own; and not every hidden file is ours.
    others = [tmp_path / f".clip.mp4.elsewhere.{writer.pid}.abcdefgh.part", tmp_path / ".clip.mp4.part"]
    for other in others:
        other.write_text("")
    with appearing_whole(target) as own:
        sweep(tmp_path)
        assert left.read_text() == "half"
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        sweep(tmp_path)
        assert not left.exists()
        assert own.exists()
        assert target.read_text() == "whole"
        own.write_text("new")
    assert {path.name for path in tmp_path.iterdir()} == {"clip.mp4", *(other.name for other in others)}
    assert target.read_text() == "new"
    assert os.stat(target).st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
