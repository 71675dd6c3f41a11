"""Vectors that are well formed and yet of no use: nothing but zeros, or one for every text."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from docs_agent.core.errors import ServiceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.floating]

ENOUGH_TEXTS: Final = 4
"""Different texts with one vector before that is told; two short ones may happen to agree."""
_REMEDY: Final = "check that embedder.model is a model of embeddings, and its service's log"


class Doubts:
    """What was seen of a service's vectors so far."""

    def __init__(self, name: str) -> None:
        """name: the service, for what is told."""
        self._name = name
        self._any = False
        self._first: Rows | None = None
        self._alike = 0
        self._settled = False

    def refuse_zeros(self, rows: Rows) -> None:
        """Raises ServiceError for a reply of nothing but zeros. One text may have no word that the
        model knows, once the service has shown that it can do otherwise."""
        if rows.any():
            self._any = True
        elif len(rows) > 1 or not self._any:
            raise ServiceError(f"{self._name}: the vectors hold nothing but zeros", remedy=_REMEDY)

    def notice_one_for_all(self, rows: Rows) -> None:
        """Warns, once, when all texts so far have the same vector. rows: of different texts that
        were not looked at before."""
        if self._settled:
            return
        if self._first is None:
            self._first = rows[:1].copy()
        if (rows != self._first).any():
            self._settled = True
            return
        self._alike += len(rows)
        if self._alike >= ENOUGH_TEXTS:
            self._settled = True
            logging.getLogger("docs_agent").warning(
                "warning: %s gives every text the same vector, so they tell nothing apart; %s",
                self._name,
                _REMEDY,
            )
