"""Index runs in processes of their own, for tests that kill them or start several at once.

    python index_process.py ROOT

Loads the program once, prints `ready`, and forks one process for every line of standard input, a
number of seconds to wait for another writer. For each it prints `pid N`, then the JSON report or
the name of the error, then `ended STATUS`, negative for a signal.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from docs_agent.core.config import load_config
from docs_agent.core.embed.static import StaticEmbedder
from docs_agent.core.errors import DocsAgentError
from docs_agent.core.project import db_path
from docs_agent.core.store.sqlite import open_store
from docs_agent.indexers.parse import parse  # loaded here, so that no run pays for it
from docs_agent.indexers.run import run_index
from docs_agent.indexers.run_report import IndexRequest, NoProgress


def run(root: Path, timeout: float) -> int:
    db = db_path(root)
    request = IndexRequest(root=root, db=db, config=load_config(root), timeout=timeout)
    try:
        report = run_index(request, open_store(db, create=True), StaticEmbedder(), NoProgress())
    except DocsAgentError as error:
        print(type(error).__name__, flush=True)
        return error.exit_status
    print(json.dumps(report.as_json(), ensure_ascii=False), flush=True)
    return 0


def main(root: Path) -> None:
    StaticEmbedder().documents([parse.__name__])
    print("ready", flush=True)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            os._exit(run(root, float(line)))
        print(f"pid {pid}", flush=True)
        _, status = os.waitpid(pid, 0)
        print(f"ended {os.waitstatus_to_exitcode(status)}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
