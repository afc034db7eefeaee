"""What is published of a release holds neither a path of this machine nor a byte of its videos."""

import shutil

import pyarrow.parquet
from release import OPTIONS, video_id

from cmb_dataset import clip_name


def values_of(column) -> list[bytes]:
    """Every string and byte string of a Parquet column, however deep, as bytes."""
    found, waiting = [], column.to_pylist()
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, (str, bytes)):
            found.append(value.encode() if isinstance(value, str) else value)
    return found


def test_every_byte_of_what_is_published(tmp_path, release, cmb):
    release(["b"])
    cmb("fetch", "records.json", "--cache", "cache", "--video-dir", "mirror", cwd=tmp_path)
    cmb("build", "records.json", "--out", "cmb", "--clips", "cache", cwd=tmp_path)
    published = tmp_path / "published"
    shutil.copytree(tmp_path / "cmb", published)
    shutil.copy(tmp_path / "cache/manifest.parquet", published)

    haystacks = []
    for path in published.rglob("*"):
        if path.is_file():
            haystacks.append((path.name, path.read_bytes()))
        if path.suffix == ".parquet":
            table = pyarrow.parquet.read_table(path)
            haystacks += [
                (f"{path.name}: {name}", b"\n".join(values_of(table[name]))) for name in table.column_names
            ]
    assert len(haystacks) > 10

    clips = [clip_name(name, 0.5 * k, 0.5 * k + 1.0) for k, name in enumerate(OPTIONS)]
    assert {path.name for path in (tmp_path / "cache/clips").iterdir()} == set(clips)
    secrets = [
        str(tmp_path),
        tmp_path.name,
        "cache/videos",
        "cache/clips",
        "mirror/",
        *clips,
        f"{video_id('b')}.mp4",
    ]
    needles = [text.encode() for text in secrets]
    for media in [*(tmp_path / "cache/videos").iterdir(), *(tmp_path / "cache/clips").iterdir()]:
        content = media.read_bytes()
        needles += [content[at : at + 16] for at in range(len(content) // 2, len(content) - 16, 997)]
    assert len(needles) > 100
    for name, haystack in haystacks:
        held = [needle for needle in needles if needle in haystack]
        assert not held, f"{name} holds {held[:3]}"
