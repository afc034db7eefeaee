import os
import shutil
import sys
from fractions import Fraction
from pathlib import Path

import av
import pytest

# The makers of test media are modules beside the tests, which are no package.
sys.path.insert(0, str(Path(__file__).parent))

# The AV1 encoder tells its life story on stderr.
os.environ["SVT_LOG"] = "1"

from kinds import KINDS
from numbered_video import Kind, make
from release import OPTIONS, video_id, write_records


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Four seconds of video with the index in front: cut short, it still begins to play."""
    times = tuple(Fraction(k, 30) for k in range(120))
    options = {"preset": "ultrafast", "g": "30"}
    path = make(tmp_path_factory.mktemp("source") / "video.mp4", Kind(options=options, times=times))
    target = path.with_name("front.mp4")
    with (
        av.open(str(path)) as container,
        av.open(str(target), "w", options={"movflags": "faststart"}) as copy,
    ):
        streams = {s.index: copy.add_stream_from_template(s) for s in container.streams}
        for packet in container.demux():
            if packet.dts is not None:
                packet.stream = streams[packet.stream_index]
                copy.mux(packet)
    return target


@pytest.fixture
def release(tmp_path, source):
    """A folder to work in, and a function that lays out a mirror's videos and the records that ask for them."""

    def lay_out(names: list[str], **more: object) -> Path:
        (tmp_path / "mirror").mkdir(exist_ok=True)
        ids = [video_id(name) for name in names]
        for name in OPTIONS + ids:
            shutil.copy(source, tmp_path / "mirror" / f"{name}.mp4")
        return write_records(tmp_path / "records.json", ids, **more)

    return lay_out


@pytest.fixture(scope="session", params=KINDS)
def kind_of_video(request, tmp_path_factory):
    """(video, how it was made), for each kind."""
    kind = KINDS[request.param]
    if kind.codec not in av.codecs_available:
        pytest.skip(f"this build of libav has no {kind.codec}")
    path = tmp_path_factory.mktemp("kinds") / f"{request.param}.{kind.suffix}"
    return make(path, kind), kind
