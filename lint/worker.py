"""The other end of `lint.pool`: looks at files from standard input until it closes."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys

from docs_agent.indexers.worker import receive, send


def main() -> None:
    """The first message says how to look (`Look`'s arguments), every other one is a list of tasks
    and is answered by the list of what was learnt."""
    # Ctrl-C reaches the whole group; the program that started us settles it and closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What is made lives until it is sent: searching it for garbage finds none.
    gc.disable()
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Nothing that some module prints may come between the messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        from docs_agent.lint.one import Look

        look = Look(*pickle.loads(receive(sys.stdin.buffer)))
        while True:
            tasks = pickle.loads(receive(sys.stdin.buffer))
            send(replies, pickle.dumps([look.at(task) for task in tasks]))
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    main()
