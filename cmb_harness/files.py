"""Files that are whole or not there: a temporary name beside the target, then a rename."""

import contextlib
import json
import os
import platform
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from cmb_harness.faults import InputError


def _owner() -> str:
    """Whose a temporary file is: this machine's, and this container's on it, since both number their processes."""
    try:
        container = f"-{os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:
        container = ""
    return re.sub(r"[^A-Za-z0-9]", "-", platform.node())[:40] + container


_OWNER = _owner()


@contextlib.contextmanager
def appearing_whole(
    path: str | os.PathLike[str], *, ending: str = "", private: bool = False
) -> Iterator[Path]:
    """The name of an empty file to write; it takes the place of ``path`` when the block ends well.

    Where the block ends ill nothing is left. Several processes and threads may do so for one ``path``.

    Args:
        path: the target; its folder is made if it is missing.
        ending: of the temporary name, for writers that go by it.
        private: nobody but the owner may read the file, at any moment.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{target.name}.{_OWNER}.{os.getpid()}."
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=prefix, suffix=f".part{ending}")
    os.close(handle)
    try:
        yield Path(name)
        if not private:
            # mkstemp makes files private; what a command writes follows the umask like any other file.
            os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def sweep(folder: str | os.PathLike[str]) -> None:
    """Remove the temporary files that processes of this machine left in a folder when they were killed."""
    for path in Path(folder).glob(".*.part*"):
        owner = re.search(r"\.([^.]*)\.([0-9]+)\.[^.]+\.part(\.\w+)?$", path.name)
        if owner and owner[1] == _OWNER and not _is_running(int(owner[2])):
            path.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    if os.name != "posix":
        # Elsewhere the question would end the process.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


@contextlib.contextmanager
def write_whole(path: str | os.PathLike[str], mode: str = "w", *, private: bool = False) -> Iterator[IO[Any]]:
    """Open ``path`` for writing; it appears, whole, when the block ends well, and not at all otherwise.

    Args:
        path: the target; its folder is made if it is missing.
        mode: ``"w"`` (UTF-8 text, newlines as written) or ``"wb"``.
        private: nobody but the owner may read the file, at any moment.
    """
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    with appearing_whole(path, private=private) as name, open(name, mode, **text) as file:  # type: ignore[call-overload]
        yield file


def write_json(path: str | os.PathLike[str], value: Any, *, private: bool = False) -> None:
    """Write ``value`` as indented UTF-8 JSON. NaN and infinities raise ``ValueError``: JSON has none."""
    with write_whole(path, private=private) as file:
        json.dump(value, file, ensure_ascii=False, indent=2, allow_nan=False)
        file.write("\n")


def write_json_lines(path: str | os.PathLike[str], rows: Iterable[Any]) -> None:
    """Write ``rows`` as JSON Lines, one object a line. NaN and infinities raise ``ValueError``."""
    with write_whole(path) as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")


def read_json(path: str | os.PathLike[str]) -> Any:
    """The JSON value of a UTF-8 file.

    Raises:
        InputError: the file is missing, is not UTF-8, or holds no JSON; the message says which, and where.
    """
    try:
        return json.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start}: not UTF-8") from None
    except RecursionError:
        raise InputError(f"{path}: nested too deeply") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: line {error.lineno}: not JSON: {error.msg}") from None
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(f"{path}: not usable: {error}") from None


def read_json_lines(path: str | os.PathLike[str]) -> list[tuple[int, dict[str, Any]]]:
    """The objects of a UTF-8 JSON Lines file, each with its line from 1; empty lines are passed over.

    Raises:
        InputError: the file is missing, is not UTF-8, or has lines that hold no whole JSON object; all of them.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start}: not UTF-8") from None
    rows, faults = [], []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            value = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError) as error:
            faults.append(f"{path}: line {number}: not a whole JSON object: {error}")
            continue
        if isinstance(value, dict):
            rows.append((number, value))
        elif line.strip():
            faults.append(f"{path}: line {number}: expected a JSON object")
    if faults:
        raise InputError(faults)
    return rows


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
