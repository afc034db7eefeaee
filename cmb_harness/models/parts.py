"""What a model gets for a question, piece by piece: the same for every vendor, and what ``--dry-run`` shows.

Media come first, each under its label, then the prompt. No piece holds a title, an id, a path or the name of a file.
"""

import random
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from string import Template

from cmb_harness.models.derived import slide_show, sound_file, sound_of, squashed
from cmb_harness.models.interface import Blob, File, OpenItem, Part, Question, Text
from cmb_harness.models.pictures import FrameStore, Sampling
from cmb_harness.prompts import LETTERS

MEDIA = ("frames", "video")
PROBES = ("text-only", "single-frame", "shuffled-frames", "audio-only")


@dataclass(frozen=True)
class Look:
    """How the media of a question reach a model.

    Attributes:
        media: ``frames`` (pictures with their times) or ``video`` (a file, with its sound).
        sampling: which frames; for a file, its size alone.
        probe: what is taken away, to see what of a score needs the video (paper, Limitations): all media
            (``text-only``), all frames but the middle one (``single-frame``), their order (``shuffled-frames``; the
            times stay in order), the picture (``audio-only``). A probe tells no subtitles either.
        subtitles: whether S3's subtitles are told as text.
    """

    media: str = "frames"
    sampling: Sampling = field(default_factory=Sampling)
    probe: str | None = None
    subtitles: bool = True

    @property
    def stages_with_media(self) -> frozenset[str]:
        """The stages whose files are opened."""
        return frozenset() if self.probe == "text-only" else frozenset({"s2", "s3"})


class Viewer:
    """Turns questions into parts.

    Args:
        look: how media reach the model.
        cache: where frames and derived files are kept; None where no question has media.
    """

    def __init__(self, look: Look, cache: Path | None):
        self.look = look
        self._cache = cache
        self._frames = None if cache is None else FrameStore(cache)

    def parts(self, question: Question) -> list[Part]:
        """The parts of a question, in order.

        Raises:
            OpenItem: its media cannot be read.
        """
        parts: list[Part] = []
        if self.look.probe != "text-only":
            for letter, clip in zip(LETTERS, question.clips, strict=False):
                parts.append(_label(question, "moment", letter=letter))
                parts += self._media(clip, question)
            if question.video is not None:
                parts.append(_label(question, "video"))
                parts += self._media(question.video, question)
            if question.subtitles and self.look.subtitles and self.look.probe is None:
                parts.append(_subtitles(question))
        return [*parts, Text(question.prompt)]

    def files(self, question: Question) -> Question:
        """The question with files that a probe has been applied to, for models that open files themselves."""
        if self.look.probe is None:
            return question
        if self.look.probe == "text-only":
            return replace(question, clips=(), video=None, subtitles=())
        clips = tuple(self.file(clip) for clip in question.clips)
        video = None if question.video is None else self.file(question.video)
        return replace(question, clips=clips, video=video, subtitles=())

    def file(self, path: Path) -> Path:
        """The file that stands for a clip or video: the probe is applied."""
        if self.look.probe == "audio-only":
            return sound_file(path, self._existing_cache())
        if self.look.probe in ("single-frame", "shuffled-frames"):
            how = (self.look.probe, asdict(self.look.sampling))
            return slide_show(path, self._existing_cache(), self._pictures(path), how)
        return path

    def _media(self, path: Path, question: Question) -> list[Part]:
        if self.look.probe == "audio-only":
            return [sound_of(path) or _label(question, "no_sound")]
        if self.look.media == "frames":
            return [
                part
                for picture in self._pictures(path)
                for part in (_label(question, "frame", time_s=f"{picture.time_s:.2f}"), picture)
            ]
        if self.look.probe is None:
            return [File(squashed(path, self._existing_cache(), self.look.sampling.size))]
        return [File(self.file(path))]

    def _pictures(self, path: Path) -> list[Blob]:
        if self._frames is None:
            raise OpenItem("no cache of videos was named")
        sampling = self.look.sampling
        if self.look.probe == "single-frame":
            return self._frames.pictures(path, replace(sampling, count=1))
        pictures = self._frames.pictures(path, sampling)
        return shuffled(pictures, path.name) if self.look.probe == "shuffled-frames" else pictures

    def _existing_cache(self) -> Path:
        if self._cache is None:
            raise OpenItem("no cache of videos was named")
        return self._cache


def shuffled(pictures: list[Blob], seed: str) -> list[Blob]:
    """The pictures in a random order that depends on ``seed`` alone, under the times as they were."""
    order = random.Random(seed).sample(range(len(pictures)), len(pictures))
    return [
        replace(pictures[index], time_s=place.time_s) for index, place in zip(order, pictures, strict=True)
    ]


def _label(question: Question, name: str, **values: str) -> Text:
    return Text(Template(question.labels[name]).substitute(values))


def _subtitles(question: Question) -> Text:
    lines = "\n".join(f"{start_s:.2f}-{end_s:.2f}: {text}" for start_s, end_s, text in question.subtitles)
    return _label(question, "subtitles", lines=lines)
