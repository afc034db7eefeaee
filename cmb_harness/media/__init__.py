"""Media: videos by id, exact clips, frames. The face of the folder; light to import (libav and numpy)."""

from cmb_harness.media.cache import clip_path, duration_of, find_video
from cmb_harness.media.clips import cut_clips, with_media
from cmb_harness.media.cut import cut_clip
from cmb_harness.media.frames import sample_frames
from cmb_harness.media.settings import video_for
from cmb_harness.media.subtitles import subtitles_of
from cmb_harness.media.video import MediaError
from cmb_harness.media.view import View, view

__all__ = [
    "MediaError",
    "View",
    "clip_path",
    "cut_clip",
    "cut_clips",
    "duration_of",
    "find_video",
    "sample_frames",
    "subtitles_of",
    "video_for",
    "view",
    "with_media",
]
