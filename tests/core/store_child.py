"""A process that writes an index again and again until it is killed, or holds it.

Usage: store_child.py (write | hold) INDEX
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from store_samples import begin, file, info, put, vector

from docs_agent.core.store.sqlite import open_store

FILES = 12


def write(path: Path) -> None:
    store = open_store(path, create=True)
    run = 0
    while True:
        run += 1
        with begin(store) as writer:
            for i in range(FILES):
                text = f"run{run} " + "слово " * 300
                made = file(f"{i}.md", text, text, content_hash=f"{run}")
                put(writer, made, vector(1, run), vector(run, 1))
            writer.finish(info(commit_sha=str(run)), {"seen": FILES}, ())
        print(run, flush=True)


def hold(path: Path) -> None:
    with begin(open_store(path, create=True)) as writer:
        put(writer, file("held.md", "text"))
        print("held", flush=True)
        time.sleep(60)


if __name__ == "__main__":
    {"write": write, "hold": hold}[sys.argv[1]](Path(sys.argv[2]))
