"""The command ``cmb``: finds the subcommand, parses its arguments, calls one function.

Exit codes: 0 done, 1 bad input or nothing usable, 2 wrong usage, 130 stopped with Ctrl-C.
"""

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from types import ModuleType

from cmb_harness import commands
from cmb_harness.faults import InputError


def command_names() -> list[str]:
    """The subcommands, by the names of the modules in ``cmb_harness.commands``."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))


def command_module(name: str) -> ModuleType:
    """The module of one subcommand."""
    return importlib.import_module(f"{commands.__name__}.{name}")


def build_parser() -> argparse.ArgumentParser:
    """The whole parser. Every subcommand's ``--help`` ends with an example."""
    parser = argparse.ArgumentParser(
        prog="cmb", description="The Cultural Moment Benchmark: build, fetch, run, score, report."
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in command_names():
        module = command_module(name)
        subparser = subparsers.add_parser(
            name,
            help=module.HELP,
            description=module.HELP,
            epilog=f"example:\n  {module.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(subparser)
        subparser.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Faults of the input are printed, never raised."""
    arguments = build_parser().parse_args(argv)
    try:
        return arguments.run(arguments)
    except InputError as error:
        return _complain(error.faults)
    except BrokenPipeError:
        # The reader of stdout (head, a pager) has gone: nothing more to say, and nothing to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain([f"{error.filename or 'system'}: {error.strerror or error}"])
    except KeyboardInterrupt:
        print("cmb: stopped; the same command goes on from here", file=sys.stderr)
        return 130


def _complain(faults: Sequence[str]) -> int:
    for fault in faults:
        print(f"cmb: {fault}", file=sys.stderr)
    if len(faults) > 1:
        print(f"cmb: {len(faults)} faults", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
