"""Settings take streams away and touch no packet of the rest; subtitles come out as timed text."""

import json
import os
from fractions import Fraction

import av
import numpy as np
import pytest
from numbered_video import Kind, board, make, numbers_and_times, turn_in_header

from cmb_harness.media.settings import kinds_in, video_for
from cmb_harness.media.subtitles import Line, read_subtitles, subtitles_of
from cmb_harness.media.video import MediaError

VIDEO = "videovideo1"
LINES = [(0, 800, "satu"), (1000, 500, "ສອງ, dua"), (2000, 1000, "tiga\nbaris")]


def make_with_subtitles(path, codec, lines=LINES):
    with av.open(str(path), "w") as container:
        picture = container.add_stream("libx264", rate=30, options={"preset": "ultrafast", "bf": "2"})
        picture.width, picture.height, picture.pix_fmt = 160, 120, "yuv420p"
        sound = container.add_stream("aac", rate=48000, layout="mono")
        text = container.add_stream(codec)
        header = "[Script Info]\n[V4+ Styles]\n[Events]\nFormat: Layer, Start, End, Style, Text\n"
        text.codec_context.subtitle_header = header.encode()
        text.time_base = Fraction(1, 1000)
        for k in range(90):
            frame = av.VideoFrame.from_ndarray(board(k, (160, 120)), format="rgb24").reformat(
                format="yuv420p"
            )
            frame.pts, frame.time_base = k, Fraction(1, 30)
            container.mux(picture.encode(frame))
        container.mux(picture.encode(None))
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 48000 * 3), np.float32), format="fltp", layout="mono")
        frame.rate, frame.pts, frame.time_base = 48000, 0, Fraction(1, 48000)
        container.mux(sound.encode(frame))
        container.mux(sound.encode(None))
        for number, (start, length, words) in enumerate(lines):
            container.mux(_subtitle_packet(text, number, start, length, words))
    return path


def _subtitle_packet(stream, number, start, length, words):
    codec = stream.codec_context.name
    payload = words.encode()
    if codec == "mov_text":
        payload = len(payload).to_bytes(2, "big") + payload
    packet = av.Packet(payload)
    packet.stream, packet.time_base = stream, Fraction(1, 1000)
    packet.pts = packet.dts = start
    packet.duration = length
    return packet


@pytest.fixture(params=[("mp4", "mov_text"), ("mkv", "srt")], ids=lambda kind: kind[0])
def cache(request, tmp_path):
    suffix, codec = request.param
    (tmp_path / "videos").mkdir()
    make_with_subtitles(tmp_path / "videos" / f"{VIDEO}.{suffix}", codec)
    return tmp_path


def packets(path, kind):
    with av.open(str(path)) as container:
        stream = container.streams.best(kind)
        return [(bytes(packet), packet.pts, packet.dts) for packet in container.demux(stream) if packet.size]


@pytest.mark.parametrize(
    ("setting", "left", "removed"),
    [
        ("no-audio", {"subtitle"}, ("audio",)),
        ("no-subtitles", {"audio"}, ("subtitle",)),
        ("visual-only", set(), ("audio", "subtitle")),
    ],
)
def test_a_setting_takes_its_kinds_away_and_leaves_the_packets_of_the_rest(cache, setting, left, removed):
    full = video_for(cache, VIDEO)
    assert (full.removed, full.absent) == ((), ())
    version = video_for(cache, VIDEO, setting)
    assert (version.removed, version.absent) == (removed, ())
    assert kinds_in(version.path) == left
    assert packets(version.path, "video") == packets(full.path, "video")
    if "audio" in left:
        assert [data for data, *_ in packets(version.path, "audio")] == [
            data for data, *_ in packets(full.path, "audio")
        ]
    assert numbers_and_times(version.path) == numbers_and_times(full.path)
    said = json.loads(version.path.with_suffix(".json").read_text())
    assert (said["removed"], said["absent"], said["path"]) == (list(removed), [], version.path.name)


def test_a_setting_leaves_the_same_sound_the_first_choice(tmp_path):
    (tmp_path / "videos").mkdir()
    heard = [
        make(tmp_path / f"{name}.mkv", Kind("mkv", beep_s=beep))
        for name, beep in (("eng", (0.5, 1.0)), ("tha", (1.5, 2.0)))
    ]
    both = tmp_path / "videos" / f"{VIDEO}.mkv"
    with av.open(str(heard[0])) as one, av.open(str(heard[1])) as other, av.open(str(both), "w") as target:
        sources = [one.streams.video[0], one.streams.audio[0], other.streams.audio[0]]
        streams = [target.add_stream_from_template(stream) for stream in sources]
        for stream, language in zip(streams[1:], ("eng", "tha"), strict=True):
            stream.metadata["language"] = language
        streams[1].disposition, streams[2].disposition = 0, av.stream.Disposition.default
        for container, chosen in ((one, sources[:2]), (other, sources[2:])):
            for packet in container.demux(*chosen):
                if packet.dts is not None:
                    packet.stream = streams[sources.index(packet.stream)]
                    target.mux(packet)
    make_with_subtitles(tmp_path / "text.mkv", "srt")
    from cmb_harness.media.remux import _copy

    with av.open(str(both)) as first, av.open(str(tmp_path / "text.mkv")) as text:
        _copy([*first.streams, text.streams.subtitles[0]], tmp_path / "whole.mkv")
    os.replace(tmp_path / "whole.mkv", both)
    version = video_for(tmp_path, VIDEO, "no-subtitles")
    assert version.removed == ("subtitle",)
    with av.open(str(version.path)) as container:
        assert [stream.language for stream in container.streams.audio] == ["eng", "tha"]
        assert container.streams.best("audio").language == "tha"


def test_a_version_is_made_once_and_again_when_its_video_changed(cache):
    first = video_for(cache, VIDEO, "no-audio").path.stat().st_ino
    assert video_for(cache, VIDEO, "no-audio").path.stat().st_ino == first
    os.utime(video_for(cache, VIDEO).path, (1, 1))
    assert video_for(cache, VIDEO, "no-audio").path.stat().st_ino != first


def test_what_was_never_there_is_told_from_what_was_taken_away(tmp_path):
    (tmp_path / "videos").mkdir()
    make(tmp_path / "videos" / f"{VIDEO}.mp4", Kind(sound=None, options={"preset": "ultrafast"}))
    version = video_for(tmp_path, VIDEO, "visual-only")
    assert (version.removed, version.absent) == ((), ("audio", "subtitle"))
    assert version.path == tmp_path / "videos" / f"{VIDEO}.mp4"
    # Subtitles beside the video are its subtitles.
    (tmp_path / "subtitles").mkdir()
    (tmp_path / "subtitles" / f"{VIDEO}.id.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.500\nsatu\n")
    version = video_for(tmp_path, VIDEO, "no-subtitles")
    assert (version.removed, version.absent) == (("subtitle",), ("audio",))
    assert video_for(tmp_path, "absentvideo", "no-audio") is None
    with pytest.raises(ValueError, match="expected one of full, no-audio"):
        video_for(tmp_path, VIDEO, "silent")


@pytest.mark.parametrize("start_s", [Fraction(3, 2), Fraction(-1, 2)], ids=["late start", "edit list"])
def test_a_copy_keeps_times_and_turn(tmp_path, start_s):
    (tmp_path / "videos").mkdir()
    video = make(tmp_path / "videos" / f"{VIDEO}.mp4", Kind(options={"bf": "3", "g": "40"}, start_s=start_s))
    turn_in_header(video, 1)
    copy = video_for(tmp_path, VIDEO, "no-audio").path
    for path in (video, copy):
        with av.open(str(path)) as container:
            assert next(container.decode(video=0)).rotation == 90
    assert numbers_and_times(copy) == numbers_and_times(video)


def test_subtitles_come_out_as_timed_text(cache):
    expected = [Line(0.0, 0.8, "satu"), Line(1.0, 1.5, "ສອງ, dua"), Line(2.0, 3.0, "tiga\nbaris")]
    assert subtitles_of(cache, VIDEO) == expected
    assert subtitles_of(cache, VIDEO, setting="no-audio") == expected
    assert subtitles_of(cache, VIDEO, setting="no-subtitles") == []
    assert subtitles_of(cache, VIDEO, setting="visual-only") == []
    assert subtitles_of(cache, "absentvideo") == []
    assert subtitles_of(cache, VIDEO, language="tlh") == []


def test_a_file_beside_the_video_comes_first(cache):
    (cache / "subtitles").mkdir()
    page = "WEBVTT\n\nNOTE a note\n\n00:00:01.000 --> 00:00:02.500 align:start\n<c.green>satu</c> &amp; dua\n"
    (cache / "subtitles" / f"{VIDEO}.id.vtt").write_text(page)
    (cache / "subtitles" / f"{VIDEO}.zz.vtt").write_text("WEBVTT\n\n00:03.000 --> 00:04.000\nlain\n")
    assert subtitles_of(cache, VIDEO) == [Line(1.0, 2.5, "satu & dua")]
    assert subtitles_of(cache, VIDEO, language="zz") == [Line(3.0, 4.0, "lain")]
    assert subtitles_of(cache, VIDEO, setting="no-subtitles") == []


def test_what_cannot_be_read_is_named(tmp_path):
    with pytest.raises(MediaError, match=r"absent\.vtt"):
        read_subtitles(tmp_path / "absent.vtt")
    (tmp_path / "videos").mkdir()
    (tmp_path / "videos" / f"{VIDEO}.mp4").write_bytes(b"no video")
    with pytest.raises(MediaError, match=VIDEO):
        video_for(tmp_path, VIDEO, "no-audio")
    assert not (tmp_path / "settings").exists()
