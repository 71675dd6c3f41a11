"""The progress bar of long work, on stderr, only when a person watches."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from docs_agent.cli.console import styled

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Bar:
    """Implements `indexers.run.Progress`; does nothing when stderr is not a terminal or `quiet`."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and styled(sys.stderr)
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._records = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.finish()

    def start(self, total: int) -> None:
        """`total` files will be looked at."""
        if not self._shown:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._progress = Progress(
            TextColumn("Indexing"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("files  {task.fields[records]} records"),
            console=Console(file=sys.stderr),
            transient=True,
        )
        self._progress.start()
        self._task = self._progress.add_task("index", total=total, records=0)

    def advance(self, path: str, records: int) -> None:
        """One more file is done and gave `records` records."""
        self._records += records
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, advance=1, records=self._records)

    def finish(self) -> None:
        """Takes the bar away; safe to call twice."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
