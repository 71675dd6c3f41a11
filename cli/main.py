"""Where the process begins: whatever happens from here on ends in words and an exit status.

Imports next to nothing, so that Ctrl-C during the imports of everything else is met here too.
"""

from __future__ import annotations

import gc
import os
import sys

INTERRUPTED = 130
NO_OUTPUT = 2


def main() -> None:
    """Runs the command line and ends the process."""
    try:
        # Nothing that is imported becomes garbage; looking for it takes a fifth of the start.
        gc.set_threshold(50_000, 20, 20)
        _open_streams()
        # Set before NumPy loads: its threads cost more than they bring to vectors this small, and
        # where they cannot be started OpenBLAS pretends that somebody pressed Ctrl-C.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from docs_agent.cli.app import run

        status = _flushed(run())
    except KeyboardInterrupt:
        _say("interrupted; nothing was changed")
        status = INTERRUPTED
    except OSError as error:
        status = _output_failed(error)
    # The interpreter looks for garbage once more when it ends, in all that was imported.
    gc.freeze()
    sys.exit(status)


def _open_streams() -> None:
    """Standard streams the caller closed become `os.devnull`, in their own place.

    Otherwise the next file to be opened, the index even, would be taken for the terminal.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115 - lives as long as we
            setattr(sys, name, stream)


def _flushed(status: int) -> int:
    sys.stdout.flush()
    return status


def _output_failed(error: OSError) -> int:
    """A reader that went away (`| head`) has its right; a full disk is told."""
    broken_pipe = isinstance(error, BrokenPipeError)
    if not broken_pipe:
        _say(f"error: the output cannot be written: {error.strerror}")
    # Else the interpreter would try to write the rest when it ends, and say so with a traceback.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0 if broken_pipe else NO_OUTPUT


def _say(text: str) -> None:
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        pass
