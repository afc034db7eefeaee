"""The kinds of video that cutting and sampling are tested on."""

from fractions import Fraction

from numbered_video import Kind

LONG_GOP = {"g": "250", "bf": "3", "preset": "veryfast"}
VARIABLE = tuple(
    Fraction(time).limit_denominator(1000)
    for time in sorted({k / 10 for k in range(12)} | {2.0, 2.04, 2.08, 2.5} | {3 + k / 60 for k in range(40)})
)
NTSC = tuple(Fraction(1001 * k, 30000) for k in range(90))
AV1 = {"preset": "8", "g": "30", "crf": "20"}

KINDS = {
    "h264-mp4": Kind(options=LONG_GOP),
    "h264-mp4-open-gop": Kind(options={"g": "20", "bf": "3", "x264-params": "open-gop=1"}),
    "h264-mp4-no-sound": Kind(options=LONG_GOP, sound=None),
    "h264-mp4-variable": Kind(options=LONG_GOP, times=VARIABLE),
    "h264-mp4-ntsc": Kind(options=LONG_GOP, times=NTSC, fps=Fraction(30000, 1001)),
    "h264-mp4-late-start": Kind(options=LONG_GOP, start_s=Fraction(3, 2)),
    "h264-mp4-edit-list": Kind(options=LONG_GOP, start_s=Fraction(-1, 2)),
    "h264-mkv": Kind("mkv", options=LONG_GOP),
    "h264-mkv-variable": Kind("mkv", options=LONG_GOP, times=VARIABLE),
    "h264-mkv-late-start": Kind("mkv", options=LONG_GOP, start_s=Fraction(5, 2)),
    "h264-ts": Kind("ts", options={"g": "30", "bf": "2", "preset": "veryfast"}),
    "h264-ts-late-start": Kind("ts", options=LONG_GOP, start_s=Fraction(10)),
    "vp9-webm": Kind("webm", "libvpx-vp9", {"deadline": "realtime", "cpu-used": "8"}, sound="libopus"),
    "vp9-webm-variable": Kind(
        "webm", "libvpx-vp9", {"deadline": "realtime", "cpu-used": "8"}, sound="libopus", times=VARIABLE
    ),
    "vp9-mkv-alt-ref": Kind("mkv", "libvpx-vp9", {"cpu-used": "5", "lag-in-frames": "16", "g": "40"}),
    "av1-mp4": Kind("mp4", "libsvtav1", AV1),
    "av1-webm": Kind("webm", "libsvtav1", AV1, sound="libopus"),
    "hevc-mp4": Kind("mp4", "libx265", {"preset": "ultrafast", "bf": "3", "x265-params": "log-level=none"}),
    "hevc-ts": Kind("ts", "libx265", {"preset": "ultrafast", "g": "25", "x265-params": "log-level=none"}),
}
