"""Doing many things at once, so that Ctrl-C and the first error end it in order."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

# How long Ctrl-C waits for answers that are on their way: they are paid for.
GRACE_S = 10.0


def do_all(tasks: Iterable[T], work: Callable[[T], None], *, workers: int, stop: threading.Event) -> None:
    """Do ``work`` on each task, ``workers`` at a time, beginning them in order.

    One worker works in the caller's thread. ``stop`` ends it early: what is begun is finished, the rest not begun.

    Args:
        tasks: what to do; taken one by one, as workers become free.
        work: what is done with each; called from several threads.
        workers: how many at once.
        stop: set by an error, by Ctrl-C, or by anyone else.

    Raises:
        Exception: the first that ``work`` raised.
        KeyboardInterrupt: Ctrl-C was pressed; what was begun had `GRACE_S` to end. A second one does not wait.
    """
    queue = iter(tasks)
    if workers <= 1:
        for task in queue:
            if stop.is_set():
                return
            work(task)
        return
    errors: list[BaseException] = []
    taking = threading.Lock()
    threads = [
        threading.Thread(target=_work, args=(queue, work, taking, stop, errors), daemon=True)
        for _ in range(workers)
    ]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            # Waiting in slices keeps the main thread open to Ctrl-C on every platform.
            while thread.is_alive():
                thread.join(0.1)
    except KeyboardInterrupt:
        stop.set()
        deadline = time.monotonic() + GRACE_S
        for thread in threads:
            if thread.ident is not None:
                thread.join(max(deadline - time.monotonic(), 0))
        raise
    if errors:
        raise errors[0]


def _work(
    queue: Iterator[T],
    work: Callable[[T], None],
    taking: threading.Lock,
    stop: threading.Event,
    errors: list[BaseException],
) -> None:
    while not stop.is_set():
        with taking:
            try:
                task = next(queue)
            except StopIteration:
                return
        try:
            work(task)
        except BaseException as error:
            errors.append(error)
            stop.set()
