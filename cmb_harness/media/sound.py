"""Sound between two times, on a clock of its own that is in step with the picture's."""

from collections.abc import Iterator
from fractions import Fraction

import av
import av.filter
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.packet import Packet

from cmb_harness.media.video import Path, open_media

# What MPEG-4 AAC can carry.
AAC_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000)


def rate_and_layout(source: AudioStream) -> tuple[int, str]:
    """Sampling rate and layout of the AAC track made from a source: its own where AAC has them, else 48 kHz, stereo."""
    rate = source.rate if source.rate in AAC_RATES else 48000
    return rate, "mono" if source.channels == 1 else "stereo"


def sound_between(
    path: Path, origin: Fraction, length: Fraction, rate: int, layout: str
) -> Iterator[AudioFrame]:
    """Decoded sound of ``[origin, origin + length)``.

    Args:
        path: the media file.
        origin: seconds on the file's own clock (not counted from any stream's start).
        length: seconds.
        rate: sampling rate of the frames, in Hz.
        layout: their channel layout.

    Yields:
        Planar float frames; their clock reads 0 at ``origin``. Late or missing sound is silence, so the frames
        follow each other without a gap. None at all if the file has no sound from ``origin`` on.
    """
    with open_media(path) as container:
        stream = container.streams.best("audio")
        if not isinstance(stream, AudioStream) or stream.time_base is None:
            return
        graph = _trimming(stream, origin, length, rate, layout)
        for packet in _packets_from(container, stream, stream.time_base, origin):
            if packet.pts is not None and packet.pts * packet.time_base >= origin + length:
                break
            for frame in packet.decode():
                graph.push(frame)
                yield from _pulled(graph)
        graph.push(None)
        yield from _pulled(graph)


def _trimming(
    stream: AudioStream, origin: Fraction, length: Fraction, rate: int, layout: str
) -> av.filter.Graph:
    start, end = float(origin), float(origin + length)
    graph = av.filter.Graph()
    graph.link_nodes(
        graph.add_abuffer(template=stream, time_base=stream.time_base),
        graph.add("atrim", f"start={start:.6f}:end={end:.6f}"),
        graph.add("asetpts", f"PTS-{start:.6f}/TB"),
        # Fills gaps of more than 10 ms, and the wait for sound that begins late, with silence.
        graph.add("aresample", f"{rate}:async=1:min_hard_comp=0.01:first_pts=0"),
        graph.add("aformat", f"sample_fmts=fltp:sample_rates={rate}:channel_layouts={layout}"),
        graph.add("abuffersink"),
    ).configure()
    return graph


def _packets_from(
    container: InputContainer, stream: AudioStream, time_base: Fraction, origin: Fraction
) -> Iterator[Packet]:
    # Decoders need a little run-up after a seek (80 ms for Opus); a TS index may lead past the time asked for.
    for back_s in (1, 2, 4, 8, 16, 32):
        target = round((origin - back_s) / time_base)
        if target <= (stream.start_time or 0):
            break
        container.seek(target, stream=stream)
        packets = container.demux(stream)
        packet = next(packets)
        if packet.pts is not None and packet.pts * time_base <= origin - Fraction(1, 2):
            yield packet
            yield from packets
            return
    with open_media(container.name) as again:
        yield from again.demux(again.streams[stream.index])


def _pulled(graph: av.filter.Graph) -> Iterator[AudioFrame]:
    while True:
        try:
            yield graph.pull()  # type: ignore[misc]
        except (av.error.BlockingIOError, av.error.EOFError):
            return
