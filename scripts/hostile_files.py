"""Files that a submission server must refuse: one function a kind, each with a word of the fault that it must get.

A kind takes a generator and the lines of an honest file (dictionaries, the header first) and returns bytes. The
numbers that do not matter are drawn, so that two files of a kind differ.
"""

import bz2
import gzip
import io
import json
import lzma
import pickle
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Line = dict[str, Any]
Build = Callable[[Random, Sequence[Line]], bytes]


@dataclass(frozen=True)
class Kind:
    """A kind of hostile file: how it is made, and words that the first faults must hold."""

    build: Build
    fault: str


KINDS: dict[str, Kind] = {}


def kind(fault: str) -> Callable[[Build], Build]:
    """Register a function under its own name."""

    def register(build: Build) -> Build:
        KINDS[build.__name__] = Kind(build, fault)
        return build

    return register


def plain(lines: Sequence[Any]) -> bytes:
    """Lines as JSON Lines; a string stands for itself."""
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines).encode()


def with_line(generator: Random, lines: Sequence[Line], text: str) -> bytes:
    """The file with one of its rows replaced."""
    changed: list[Any] = list(lines)
    changed[generator.randrange(1, len(lines))] = text
    return plain(changed)


def with_field(generator: Random, lines: Sequence[Line], **fields: Any) -> bytes:
    """The file with fields of one row replaced."""
    place = generator.randrange(1, len(lines))
    changed = list(lines)
    changed[place] = {**lines[place], **fields}
    return plain(changed)


def with_header(lines: Sequence[Line], **fields: Any) -> bytes:
    """The file with another header."""
    return plain([{"header": fields}, *lines[1:]])


def raw_row(generator: Random, lines: Sequence[Line], answer: str) -> str:
    """The text of a row whose answer is written as ``answer``."""
    row = lines[generator.randrange(1, len(lines))]
    name = "span" if "span" in row else "choice"
    head = json.dumps({key: value for key, value in row.items() if key != name})
    return f'{head[:-1]}, "{name}": {answer}}}'


# Containers


@kind("no usable row")
def empty(generator: Random, lines: Sequence[Line]) -> bytes:
    return generator.choice([b"", b"\n", b" \r\n \n", b"\xef\xbb\xbf", gzip.compress(b"")])


@kind("more than 50000000 bytes")
def too_large(generator: Random, lines: Sequence[Line]) -> bytes:
    return plain(lines) + b" " * (50_000_001 + generator.randrange(1000))


@kind("more than 50000000 bytes when unpacked")
def gzip_bomb(generator: Random, lines: Sequence[Line]) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    zeros = bytes(2**20)
    parts = [packer.compress(zeros) for _ in range(generator.randrange(50, 120))]
    return b"".join([*parts, packer.flush()])


@kind("gzip data is cut off")
def gzip_cut_off(generator: Random, lines: Sequence[Line]) -> bytes:
    packed = gzip.compress(plain(lines))
    return packed[: generator.randrange(10, len(packed) - 8)]


@kind("gzip data is damaged")
def gzip_wrong_checksum(generator: Random, lines: Sequence[Line]) -> bytes:
    packed = bytearray(gzip.compress(plain(lines)))
    packed[-generator.randrange(1, 9)] ^= 0xFF
    return bytes(packed)


@kind("one gzip member")
def gzip_many_members(generator: Random, lines: Sequence[Line]) -> bytes:
    return gzip.compress(plain(lines)) + gzip.compress(b"") * generator.randrange(1, 2_000_000)


@kind("one gzip member")
def gzip_with_a_tail(generator: Random, lines: Sequence[Line]) -> bytes:
    return gzip.compress(plain(lines)) + generator.randbytes(100)


@kind("gzip within gzip")
def gzip_in_gzip(generator: Random, lines: Sequence[Line]) -> bytes:
    return gzip.compress(gzip.compress(plain(lines)))


@kind("a zip archive")
def zip_archive(generator: Random, lines: Sequence[Line]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../predictions.jsonl", plain(lines))
    return file.getvalue()


@kind("a tar archive")
def tar_archive(generator: Random, lines: Sequence[Line]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        link = tarfile.TarInfo("predictions.jsonl")
        link.type, link.linkname = tarfile.SYMTYPE, "../secrets.json"
        archive.addfile(link)
    content = file.getvalue()
    return generator.choice([content, gzip.compress(content)])


@kind("expected JSON Lines")
def other_compression(generator: Random, lines: Sequence[Line]) -> bytes:
    return generator.choice([bz2.compress(plain(lines)), lzma.compress(plain(lines))])


class _Exploit:
    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("a pickle was loaded",)


@kind("a Python pickle")
def pickled(generator: Random, lines: Sequence[Line]) -> bytes:
    return pickle.dumps(_Exploit(), generator.choice([2, 3, 4, 5]))


@kind("not UTF-8")
def binary_junk(generator: Random, lines: Sequence[Line]) -> bytes:
    return b'{"' + generator.randbytes(2000) + b"\xff\n"


@kind("line 1")
def zero_bytes(generator: Random, lines: Sequence[Line]) -> bytes:
    return bytes(generator.randrange(1, 40_000_000))


@kind("UTF-16 text")
def utf16(generator: Random, lines: Sequence[Line]) -> bytes:
    return plain(lines).decode().encode("utf-16")


@kind("not UTF-8")
def latin1(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_line(generator, lines, '{"item_id": "caf\xe9"}').decode().encode("latin-1")


@kind("expected at most 200000")
def a_million_lines(generator: Random, lines: Sequence[Line]) -> bytes:
    line = generator.choice([b"\n", b"{}\n", b" \n", b"[]\n"])
    return plain(lines) + line * 1_000_000


@kind("bytes long: expected at most")
def one_long_line(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_line(generator, lines, '{"raw": "' + "x" * generator.randrange(70_000, 30_000_000) + '"}')


@kind("100 faults: the rest is not read")
def lines_of_junk(generator: Random, lines: Sequence[Line]) -> bytes:
    return b"<junk>\x1b[31m\n" * generator.randrange(150, 190_000)


# JSON


@kind("expected a JSON object")
def json_array(generator: Random, lines: Sequence[Line]) -> bytes:
    return json.dumps(list(lines[1:6])).encode()


@kind("not a whole JSON object")
def half_a_line(generator: Random, lines: Sequence[Line]) -> bytes:
    packed = plain(lines)
    return packed[: -generator.randrange(2, 20)]


@kind("not a whole JSON object")
def two_objects_in_a_line(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_line(generator, lines, json.dumps(lines[1]) * 2)


@kind("nested too deeply")
def deep_nesting(generator: Random, lines: Sequence[Line]) -> bytes:
    depth = generator.choice([7, 500, 5_000, 30_000])
    opened, closed = generator.choice([("[", "]"), ('{"a":', "}")])
    middle = "" if opened == "[" else "1"
    depth = depth if opened == "[" else min(depth, 9_000)
    return with_line(generator, lines, '{"settings": ' + opened * depth + middle + closed * depth + "}")


@kind("nested too deeply")
def deep_nesting_never_closed(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_line(generator, lines, '{"a":' * generator.randrange(5_000, 13_000))


@kind("the key stands twice")
def duplicate_key(generator: Random, lines: Sequence[Line]) -> bytes:
    text = json.dumps(lines[generator.randrange(1, len(lines))])
    return with_line(generator, lines, text[:-1] + ', "item_id": "other"}')


@kind("the key stands twice")
def many_keys_one_twice(generator: Random, lines: Sequence[Line]) -> bytes:
    keys = ", ".join(f'"k{i}": 1' for i in range(4_000))
    line = "{" + keys + ', "k3999": 2}'
    return plain([lines[0], *[line] * generator.randrange(1, 300)])


@kind("a key of more than 64 characters")
def long_key(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_line(generator, lines, json.dumps({"k" * generator.randrange(65, 60_000): 1}))


@kind("a number of more than 32 characters")
def huge_integer(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_line(generator, lines, raw_row(generator, lines, "9" * generator.randrange(33, 60_000)))


@kind("a number of more than 32 characters")
def long_fraction(generator: Random, lines: Sequence[Line]) -> bytes:
    line = raw_row(generator, lines, "[0." + "1" * generator.randrange(33, 60_000) + ", 2]")
    return plain([lines[0], *[line] * generator.randrange(1, 50)])


@kind("the number is too large")
def overflowing_number(generator: Random, lines: Sequence[Line]) -> bytes:
    answer = generator.choice(["[1e400, 2]", "[0, -1e999]", "1e400"])
    return with_line(generator, lines, raw_row(generator, lines, answer))


@kind("expected a finite number")
def not_a_number(generator: Random, lines: Sequence[Line]) -> bytes:
    answer = generator.choice(["NaN", "[NaN, 2]", "[0, Infinity]", "-Infinity"])
    return with_line(generator, lines, raw_row(generator, lines, answer))


@kind("half a character")
def lone_surrogate(generator: Random, lines: Sequence[Line]) -> bytes:
    row = json.dumps({**lines[1], "raw": "x"}).replace('"x"', '"\\ud83d"')
    return with_line(generator, lines, row)


@kind("not UTF-8")
def encoded_surrogate(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_line(generator, lines, '{"raw": "@@@"}').replace(b"@@@", b"\xed\xa0\x80")


@kind("not a whole JSON object")
def control_character(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_line(generator, lines, '{"item_id": "' + generator.choice("\0\x07\x1b\x08") + '"}')


@kind("not a field of a prediction row")
def many_lists(generator: Random, lines: Sequence[Line]) -> bytes:
    line = '{"x": [' + "[]," * generator.randrange(10_000, 20_000) + "0]}"
    return plain([lines[0], *[line] * generator.randrange(1, 700)])


# Rows


@kind("the dataset has no such item")
def unknown_item(generator: Random, lines: Sequence[Line]) -> bytes:
    name = generator.choice(
        ["s1-0000000000000000", "../../secrets.json", "\x1b[2J", "<script>", "=1+1", "x" * 60_000]
    )
    return with_field(generator, lines, item_id=name)


@kind("the dataset has no such item")
def nearly_the_item(generator: Random, lines: Sequence[Line]) -> bytes:
    item_id = lines[1]["item_id"]
    return with_field(
        generator, lines, item_id=generator.choice([item_id + " ", item_id.upper(), item_id + "\0"])
    )


@kind("was already answered")
def answered_twice(generator: Random, lines: Sequence[Line]) -> bytes:
    place = generator.randrange(1, len(lines))
    return plain([*lines, lines[place]])


@kind("missing: ")
def rows_left_out(generator: Random, lines: Sequence[Line]) -> bytes:
    kept = list(lines)
    del kept[generator.randrange(1, len(kept))]
    return plain(kept)


@kind("no usable row")
def header_alone(generator: Random, lines: Sequence[Line]) -> bytes:
    return plain(lines[:1])


@kind("line 2: item_id: null")
def two_headers(generator: Random, lines: Sequence[Line]) -> bytes:
    return plain([lines[0], *lines])


@kind("expected a non-empty string")
def item_id_of_another_type(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_field(generator, lines, item_id=generator.choice([None, 1, ["a"], {"a": 1}, "", True]))


@kind("mode: ")
def unknown_mode(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_field(generator, lines, mode=generator.choice(["Reset", "oracle", None, 1, ["reset"], {}]))


@kind("mode, truth: ")
def truth_where_none_is(generator: Random, lines: Sequence[Line]) -> bytes:
    place = next(i for i, line in enumerate(lines) if line.get("mode") in ("reset", "carry"))
    changed = list(lines)
    changed[place] = {**lines[place], "truth": generator.randrange(4)}
    return plain(changed)


@kind("truth: ")
def truth_out_of_range(generator: Random, lines: Sequence[Line]) -> bytes:
    truth = generator.choice([4, -1, 10**20, True, "0", 1.0, [0]])
    return plain([*lines, {**lines[-1], "mode": "feedback", "truth": truth}])


@kind("mode, truth: feedback, null")
def feedback_without_truth(generator: Random, lines: Sequence[Line]) -> bytes:
    row = {name: value for name, value in lines[-1].items() if name != "truth"}
    return plain([*lines, {**row, "mode": "feedback"}])


@kind("expected ")
def choice_of_another_type(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_field(
        generator, lines, choice=generator.choice(["A", "2", 2.0, True, [1], {"a": 1}, 4, -2, 10**30])
    )


@kind("span")
def span_of_another_type(generator: Random, lines: Sequence[Line]) -> bytes:
    spans = [[1], [1, 2, 3], ["1", "2"], [True, 2], {"start": 1}, "1-2", [[1, 2]], [None, 2], 5]
    return with_field(generator, lines, span=generator.choice(spans))


@kind("choice, span: expected exactly one of the two")
def both_answers(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_field(generator, lines, choice=1, span=[1, 2])


@kind("not a field of a prediction row")
def unknown_field(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_field(
        generator, lines, **{generator.choice(["answer", "__class__", "\x1b[0m", "choice "]): 1}
    )


@kind(": expected ")
def other_setting(generator: Random, lines: Sequence[Line]) -> bytes:
    fields = generator.choice([{"setting": "no-audio"}, {"variant": "common_local"}])
    return with_field(generator, lines, **fields)


@kind("raw: ")
def raw_of_another_type(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_field(generator, lines, raw=generator.choice([1, ["text"], {"text": 1}, False]))


# Names


@kind("header: team: ")
def team_as_a_path(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_header(
        lines, team=generator.choice(["../../etc/passwd", "/tmp/x", "C:\\x", "..", "a..b", "~root"])
    )


@kind("header: team: ")
def team_as_html(generator: Random, lines: Sequence[Line]) -> bytes:
    names = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a&lt;b", "javascript`x`"]
    return with_header(lines, team=generator.choice(names))


@kind("header: team: ")
def team_with_escapes(generator: Random, lines: Sequence[Line]) -> bytes:
    names = ["\x1b[2J\x1b[1;1H", "x\r\ncmb: accepted", "a\u202eb", "\u009b31m", "a\0b", "a\u200bb", "\u2028"]
    return with_header(lines, team=generator.choice(names))


@kind("header: team: ")
def team_as_a_formula(generator: Random, lines: Sequence[Line]) -> bytes:
    names = ['=HYPERLINK("http://x")', "+1+1", "-2+3", "@SUM(A1)", "\t=1", "|calc", "%0A=1"]
    return with_header(lines, team=generator.choice(names))


@kind("header: team: ")
def team_of_another_type(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_header(
        lines, team=generator.choice([1, ["a"], {"a": 1}, "", " ", "x" * 65, "x" * 60_000, True])
    )


@kind("half a character")
def team_with_half_a_character(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_header(lines, team="a\ud800")


@kind("header: model: ")
def model_as_a_path(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_header(lines, model=generator.choice(["../x", "<b>", "=1", 3]))


@kind("header: ")
def unknown_header_field(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_header(lines, **{generator.choice(["score", "policy", "\x1b[0m"]): 1})


@kind("header: context: ")
def unknown_context(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_header(lines, context=generator.choice(["none", 1, ["all"], {}]))


@kind("header: settings: ")
def settings_of_another_type(generator: Random, lines: Sequence[Line]) -> bytes:
    return with_header(lines, settings=generator.choice([1, "x", [1]]))
