"""The bytes of a file that a stranger sent: a plain file, no link, 50 MB at most before and after gzip."""

import os
import stat
import zlib
from pathlib import Path

from cmb_harness.faults import InputError

SIZE_LIMIT = 50_000_000
GZIP = b"\x1f\x8b"
# What is sent by mistake, or to be unpacked by a careless reader, by its first bytes.
OTHER_FORMATS = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "an empty zip archive",
    b"\xfd7zXZ\x00": "xz data",
    b"BZh": "bzip2 data",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!": "a rar archive",
    b"PAR1": "a Parquet file",
    b"\x93NUMPY": "a NumPy file",
    b"\x89HDF": "an HDF5 file",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    **{b"\x80" + bytes([protocol]): "a Python pickle" for protocol in range(2, 6)},
}


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a plain file of at most `SIZE_LIMIT` bytes, as they were sent.

    A symbolic link is refused: what it points to is whatever its sender chose, the secrets file perhaps, and messages
    quote what they refuse. So are devices and pipes, which may never end.

    Raises:
        InputError: the file is not there, is none of that kind, or is too large.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    if Path(path).is_symlink():
        raise InputError(f"{path}: a symbolic link: expected the file itself")
    try:
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{path}: a folder, pipe or device: expected a file")
        _check_size(status.st_size, path, "")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(SIZE_LIMIT + 1)
    finally:
        os.close(handle)


def unpack(content: bytes, path: str | os.PathLike[str] = "submission") -> bytes:
    """The text of a submission, as bytes: ``content`` itself, or what one gzip member in it holds.

    Raises:
        InputError: too large before or after unpacking, damaged, more than one gzip member, gzip in gzip, or a format
            that is neither text nor gzip.
    """
    _check_size(len(content), path, "")
    if not content.startswith(GZIP):
        _check_format(content, path)
        return content
    stream = zlib.decompressobj(wbits=31)
    try:
        unpacked = stream.decompress(content, SIZE_LIMIT + 1)
    except zlib.error as error:
        raise InputError(f"{path}: the gzip data is damaged: {error}") from None
    _check_size(len(unpacked), path, " when unpacked")
    if not stream.eof:
        raise InputError(f"{path}: the gzip data is cut off")
    if stream.unused_data:
        raise InputError(
            f"{path}: {len(stream.unused_data)} bytes after the gzip data: expected one gzip member"
        )
    if unpacked.startswith(GZIP):
        raise InputError(f"{path}: gzip within gzip: expected JSON Lines in it")
    _check_format(unpacked, path)
    return unpacked


def _check_size(size: int, path: str | os.PathLike[str], when: str) -> None:
    if size > SIZE_LIMIT:
        raise InputError(f"{path}: more than {SIZE_LIMIT} bytes{when}")


def _check_format(content: bytes, path: str | os.PathLike[str]) -> None:
    for start, name in OTHER_FORMATS.items():
        if content.startswith(start):
            raise InputError(f"{path}: {name}: expected JSON Lines in UTF-8, plain or with gzip")
    if content[257:262] == b"ustar":
        raise InputError(f"{path}: a tar archive: expected JSON Lines in UTF-8, plain or with gzip")
