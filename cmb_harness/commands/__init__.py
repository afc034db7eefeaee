"""The subcommands of ``cmb``, one module a job.

A module holds ``HELP`` (one line), ``EXAMPLE`` (a command that the tests run), ``add_arguments(parser)`` and
``run(arguments) -> int``, and imports what is heavy inside ``run``, so that ``cmb --help`` stays instant.
"""
