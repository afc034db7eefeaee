"""Streams of files put together or left out, without decoding: every packet stays as it is."""

import os
from collections.abc import Iterator, Sequence
from heapq import merge
from pathlib import Path

import av
from av.container import InputContainer, OutputContainer
from av.packet import Packet
from av.stream import Stream

from cmb_harness.media.video import MediaError, open_media


def join(picture: Path, sound: Path, folder: Path) -> Path:
    """One file of the picture of one file and the sound of another; its name is ``joined`` with a fitting ending."""
    ending = picture.suffix if _family(picture) == _family(sound) else ".mkv"
    target = folder / f"joined{ending}"
    with open_media(picture) as first, open_media(sound) as second:
        _copy([first.streams.best("video"), second.streams.best("audio")], target)
    return target


def _family(path: Path) -> str:
    return {".m4a": ".mp4", ".weba": ".webm", ".m4v": ".mp4"}.get(path.suffix, path.suffix)


def without(source: str | os.PathLike[str], target: str | os.PathLike[str], kinds: Sequence[str]) -> None:
    """Copy a media file without its streams of some kinds.

    Args:
        source: the file.
        target: the copy, in the container that its ending names; the caller sees to it that it appears whole.
        kinds: of ``audio``, ``subtitle``, ``data``, ``attachment``.

    Raises:
        MediaError: the source cannot be read, or a stream of it cannot be put into that container.
    """
    try:
        with open_media(source) as container:
            _copy([stream for stream in container.streams if stream.type not in kinds], target)
    except av.error.FFmpegError as error:
        raise MediaError(f"{source}: cannot be copied without {', '.join(kinds)}: {error.strerror}") from None


def _copy(streams: Sequence[Stream | None], target: str | os.PathLike[str]) -> None:
    chosen = [stream for stream in streams if stream is not None]
    with av.open(os.fspath(target), "w") as copy:
        copies = {id(stream): _add_like(copy, stream) for stream in chosen}
        tracks = [_packets(containers) for containers in _by_container(chosen)]
        for _, packet, stream in merge(*tracks, key=lambda timed: timed[0]):
            packet.stream = copies[id(stream)]
            copy.mux(packet)


def _add_like(copy: OutputContainer, stream: Stream) -> Stream:
    """A stream with a template's parameters and marks: its language, and whether it is the default or a cover."""
    made = copy.add_stream_from_template(stream, opaque=True)
    made.disposition = stream.disposition
    if "language" in stream.metadata:
        made.metadata["language"] = stream.metadata["language"]
    return made


def _by_container(streams: Sequence[Stream]) -> list[list[Stream]]:
    containers = {id(stream.container): stream.container for stream in streams}
    return [
        [stream for stream in streams if stream.container is container] for container in containers.values()
    ]


def _packets(streams: Sequence[Stream]) -> Iterator[tuple[float, Packet, Stream]]:
    container = streams[0].container
    assert isinstance(container, InputContainer)
    early: dict[int, list[Packet]] = {}
    for packet in container.demux(*streams):
        if packet.dts is None:
            # Matroska tells no decoding times, and the first few cannot be guessed until later ones are known. (The
            # packet at the end, for decoders, is empty.)
            early.setdefault(packet.stream_index, []).extend([packet] if packet.size else [])
            continue
        for earlier in _dated(early.pop(packet.stream_index, []), packet.dts):
            yield _timed(earlier)
        yield _timed(packet)
    for packets in early.values():
        for packet in packets:
            packet.dts = packet.pts
            yield _timed(packet)


def _dated(packets: Sequence[Packet], before: int) -> Sequence[Packet]:
    """Give packets decoding times that end one step before a known one."""
    for back, packet in enumerate(reversed(packets), 1):
        packet.dts = before - back * (packet.duration or 1)
    return packets


def _timed(packet: Packet) -> tuple[float, Packet, Stream]:
    return float((packet.dts or 0) * (packet.time_base or 0)), packet, packet.stream
