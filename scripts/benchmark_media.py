"""How fast media work goes, as ratios to other tools measured side by side in the same run.

    python scripts/benchmark_media.py [--seconds 360] [--rounds 3]

The clip is made on the spot: 1280 x 720, 30 fps, x264 with its defaults, five seconds between keyframes, with a tone;
and once more without B-frames. Each round runs every contestant once, in turn; medians are compared. A peer that this
interpreter cannot import is named as skipped: ``pip install imageio-ffmpeg decord opencv-python-headless
torch==2.13.0 torchcodec==0.13.0`` brings them (torchcodec also wants FFmpeg's shared libraries).
"""

import argparse
import functools
import importlib
import importlib.util
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from cmb_harness.media.clips import cut_clips
from cmb_harness.media.cut import X264_OPTIONS, cut_clip
from cmb_harness.media.frames import sample_frames

WIDTH, HEIGHT, FPS, KEYFRAME_S, SIZE = 1280, 720, 30, 5, 224
PIECE_S = 30
CUT = (101.7, 121.4)

Contestants = Mapping[str, Callable[[], object]]


def make_clip(path: Path, seconds: int, options: Mapping[str, str]) -> Path:
    """Write the clip: a piece of half a minute, encoded once and repeated without encoding it again."""
    piece = path.with_suffix(".piece.mp4")
    _encode_piece(piece, min(PIECE_S, seconds), options)
    with av.open(str(piece)) as first, av.open(str(path), "w") as copy:
        streams = [copy.add_stream_from_template(stream) for stream in first.streams]
        reached = [-(10**9)] * len(streams)
        for offset_s in range(0, seconds, PIECE_S):
            with av.open(str(piece)) as container:
                for packet in container.demux():
                    _shift(packet, offset_s)
                    # Sound comes in whole AAC frames: a piece's last one overlaps the next one's first.
                    if packet.dts is not None and packet.dts > reached[packet.stream_index]:
                        reached[packet.stream_index] = packet.dts
                        packet.stream = streams[packet.stream_index]
                        copy.mux(packet)
    piece.unlink()
    return path


def _shift(packet: av.Packet, offset_s: int) -> None:
    if packet.dts is not None and packet.pts is not None and packet.time_base:
        ticks = round(offset_s / packet.time_base)
        packet.pts, packet.dts = packet.pts + ticks, packet.dts + ticks


def _encode_piece(path: Path, seconds: int, options: Mapping[str, str]) -> None:
    graph = f"testsrc2=size={WIDTH}x{HEIGHT}:rate={FPS}:duration={seconds},noise=alls=4:allf=t,format=yuv420p"
    with av.open(graph, format="lavfi") as source, av.open(str(path), "w") as container:
        picture = container.add_stream("libx264", rate=FPS, options={"g": str(FPS * KEYFRAME_S), **options})
        picture.width, picture.height, picture.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        sound = container.add_stream("aac", rate=48000, layout="stereo")
        for index, frame in enumerate(source.decode(video=0)):
            frame.pict_type = 0
            container.mux(picture.encode(frame))
            if index % FPS == 0:
                container.mux(sound.encode(_tone(index // FPS)))
        container.mux(picture.encode(None))
        container.mux(sound.encode(None))


def _tone(second: int) -> av.AudioFrame:
    wave = 0.3 * np.sin(2 * np.pi * 440 * np.arange(48000) / 48000).astype(np.float32)
    frame = av.AudioFrame.from_ndarray(np.stack([wave, wave]), format="fltp", layout="stereo")
    frame.rate, frame.pts, frame.time_base = 48000, second * 48000, Fraction(1, 48000)
    return frame


def ffmpeg() -> str | None:
    """The ffmpeg program: of imageio-ffmpeg, else of the PATH."""
    if importlib.util.find_spec("imageio_ffmpeg"):
        import imageio_ffmpeg

        return imageio_ffmpeg.get_ffmpeg_exe()
    return shutil.which("ffmpeg")


def samplers(path: Path, seconds: int) -> tuple[dict[str, Callable[[], object]], list[str]]:
    """(contestants that take one 224 x 224 frame a second, peers that are not installed)."""
    wanted: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "ffmpeg": (ffmpeg, lambda: _ffmpeg_frames(path)),
        "decord": (lambda: _loads("decord"), lambda: _decord_frames(path, seconds)),
        "OpenCV": (lambda: _loads("cv2"), lambda: _opencv_frames(path)),
        "torchcodec": (lambda: _loads("torchcodec.decoders"), lambda: _torchcodec_frames(path, seconds)),
    }
    found: dict[str, Callable[[], object]] = {"sample_frames": lambda: sample_frames(path, fps=1, size=SIZE)}
    found |= {name: call for name, (is_there, call) in wanted.items() if is_there()}
    return found, [name for name in wanted if name not in found]


@functools.cache
def _loads(module: str) -> bool:
    """Whether a peer can be used: some are installed but find no library of theirs (torchcodec wants torch's own)."""
    try:
        importlib.import_module(module)
    except (ImportError, OSError, RuntimeError):
        return False
    return True


def _ffmpeg_frames(path: Path) -> bytes:
    command = [str(ffmpeg()), "-v", "error", "-i", str(path), "-vf", f"fps=1:round=up,scale={SIZE}:{SIZE}"]
    return subprocess.run(
        [*command, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], check=True, capture_output=True
    ).stdout


def _decord_frames(path: Path, seconds: int) -> np.ndarray:
    import decord

    reader = decord.VideoReader(str(path), width=SIZE, height=SIZE)
    return reader.get_batch([FPS * k for k in range(seconds)]).asnumpy()


def _opencv_frames(path: Path) -> np.ndarray:
    import cv2

    capture, frames, index = cv2.VideoCapture(str(path)), [], 0
    while capture.grab():
        if index % FPS == 0:
            frames.append(cv2.cvtColor(cv2.resize(capture.retrieve()[1], (SIZE, SIZE)), cv2.COLOR_BGR2RGB))
        index += 1
    return np.array(frames)


def _torchcodec_frames(path: Path, seconds: int) -> object:
    import torch
    from torchcodec.decoders import VideoDecoder

    frames = VideoDecoder(str(path), num_ffmpeg_threads=0).get_frames_played_at(list(range(seconds))).data
    return torch.nn.functional.interpolate(frames.float(), size=(SIZE, SIZE)).byte()


def _ffmpeg_cut(path: Path, target: Path) -> None:
    begin_s, end_s = CUT
    options = [part for name, value in X264_OPTIONS.items() for part in (f"-{name}", value)]
    command = [
        str(ffmpeg()),
        "-v",
        "error",
        "-y",
        "-ss",
        str(begin_s),
        "-i",
        str(path),
        "-t",
        str(end_s - begin_s),
    ]
    coding = ["-c:v", "libx264", *options, "-c:a", "aac", "-movflags", "+faststart", str(target)]
    subprocess.run([*command, *coding], check=True)


def measure(contestants: Contestants, rounds: int) -> dict[str, float]:
    """Median seconds of each contestant, all of them once a round."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, call in contestants.items():
            begin = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - begin)
    return {name: statistics.median(values) for name, values in times.items()}


def show(title: str, seconds: Mapping[str, float], ours: str) -> None:
    """Print medians, and ours as a share of each."""
    print(f"\n{title}")
    for name, median in seconds.items():
        ratio = "" if name == ours else f"   {ours} takes {seconds[ours] / median:.2f} of it"
        print(f"  {name:<34}{median:8.2f} s{ratio}")


def compare_samplers(folder: Path, seconds: int, rounds: int) -> None:
    """One frame a second, with and without B-frames; and twelve frames of the whole."""
    for title, options in (("x264 defaults, B-frames", {}), ("no B-frames", {"bf": "0"})):
        path = make_clip(folder / f"clip{len(options)}.mp4", seconds, options)
        contestants, skipped = samplers(path, seconds)
        if not options:
            contestants["12 uniform frames"] = lambda path=path: sample_frames(path, count=12)  # type: ignore[misc]
        medians = measure(contestants, rounds)
        few = medians.pop("12 uniform frames", None)
        show(f"one frame a second, {seconds} s of 720p, {title}", medians, "sample_frames")
        if few is not None:
            print(
                f"  12 uniform frames                 {few:8.2f} s   {few / medians['sample_frames']:.2f} of the pass"
            )
        for name in skipped:
            print(f"  {name}: not installed or cannot be loaded, skipped")


def compare_cuts(folder: Path, rounds: int) -> None:
    """An exact cut against ffmpeg's, and two workers against one thread."""
    path, target = folder / "clip0.mp4", folder / "cut.mp4"
    contestants: dict[str, Callable[[], object]] = {"cut_clip": lambda: cut_clip(path, target, *CUT)}
    if ffmpeg():
        contestants["ffmpeg -ss -t, same encoder"] = lambda: _ffmpeg_cut(path, target)
    show(f"an exact cut of {CUT[1] - CUT[0]:.1f} s", measure(contestants, rounds), "cut_clip")
    if not ffmpeg():
        print("  ffmpeg: not installed, skipped")
    cache = folder / "cache"
    (cache / "videos").mkdir(parents=True)
    shutil.copy(path, cache / "videos" / "videovideo1.mp4")
    moments = [("videovideo1", 10.3 + 12 * k, 16.1 + 12 * k) for k in range(6)]

    def cut_all(jobs: int) -> None:
        shutil.rmtree(cache / "clips", ignore_errors=True)
        if jobs > 1:
            cut_clips(moments, cache, jobs=jobs)
        else:
            for moment in moments:
                cut_clip(path, target, *moment[1:], threads=1)

    seconds = measure(
        {"two workers": lambda: cut_all(2), "one worker, one thread": lambda: cut_all(1)}, rounds
    )
    show("six clips", seconds, "two workers")
    print(f"  two workers are {seconds['one worker, one thread'] / seconds['two workers']:.2f} times as fast")


def compare_memory(folder: Path) -> None:
    """Peak memory of a process that fetches, cuts and samples few videos and many (read as Linux tells it)."""
    code = (
        "import re, sys\n"
        "from cmb_harness.media.asking import Policy\n"
        "from cmb_harness.media.fetch import Fetcher\nfrom cmb_harness.media.resolve import Source\n"
        "from cmb_harness.media.items import WantedVideo\nfrom cmb_harness.media import cut_clips, sample_frames\n"
        "cache, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])\n"
        "names = [f'video{k:06}' for k in range(count)]\n"
        "Fetcher(cache, Source(), Policy(), folder=folder).run([WantedVideo(name) for name in names])\n"
        "cut_clips([(name, 1.0, 2.0) for name in names], cache)\n"
        "for name in names: sample_frames(f'{cache}/videos/{name}.mp4')\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
    )
    source = make_clip(folder / "short.mp4", 4, {"preset": "ultrafast"})
    (folder / "many").mkdir()
    for k in range(40):
        shutil.copy(source, folder / "many" / f"video{k:06}.mp4")
    peaks = {}
    for count in (4, 40):
        command = [
            sys.executable,
            "-c",
            code,
            str(folder / f"cache{count}"),
            str(folder / "many"),
            str(count),
        ]
        peaks[count] = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024
    print("\npeak memory of fetching, cutting and sampling")
    print(f"  4 videos {peaks[4]:.0f} MB, 40 videos {peaks[40]:.0f} MB: {peaks[40] / peaks[4]:.2f} times")


def main() -> None:
    """Make the clips, run the contests, print the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=360, help="length of the clip (at least 150)")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        compare_samplers(Path(name), max(arguments.seconds, 150), arguments.rounds)
        compare_cuts(Path(name), arguments.rounds)
        compare_memory(Path(name))


if __name__ == "__main__":
    main()
