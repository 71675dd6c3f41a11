"""How long and how often one call may be tried."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

BACKOFF_SECONDS: Final = 0.2
"""Before the first retry; doubled before each further one."""
BACKOFF_MAX: Final = 8.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may cost."""

    timeout: float
    """Seconds in all, retries, pauses and tokens included."""
    connect_timeout: float
    """Seconds until the service is reached, retries and pauses included."""
    retries: int


@dataclass(slots=True)
class Patience:
    """What is left of the limits of one call."""

    limits: Limits
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    deadline: float = field(init=False)
    """When the call ends at the latest, by the clock."""
    connect_deadline: float = field(init=False)
    """When connecting ends at the latest, by the clock."""
    _failures: int = 0

    def __post_init__(self) -> None:
        self.deadline = self.clock() + self.limits.timeout
        self.begin_connecting()

    def begin_connecting(self) -> None:
        """The next service has its own time to be reached, within that of the call."""
        self.connect_deadline = min(self.clock() + self.limits.connect_timeout, self.deadline)

    @property
    def last(self) -> bool:
        """Whether nothing is tried again after this attempt."""
        return self._failures >= self.limits.retries

    def silence_deadline(self) -> float:
        """When to give this attempt up if it brought no reply: half of what is left, so that there
        is time for another one; all of it for the last attempt."""
        now = self.clock()
        return self.deadline if self.last else now + (self.deadline - now) / 2

    def again(self, *, reached: bool, wait: float | None) -> bool:
        """Pauses after a failed attempt; False when there is no further one.

        reached: whether that attempt reached the service. wait: seconds it asked for, else None.
        """
        if self.last:
            return False
        pause = self._backoff() if wait is None else wait
        if self.clock() + pause >= (self.deadline if reached else self.connect_deadline):
            return False
        self.sleep(pause)
        self._failures += 1
        if reached:
            self.begin_connecting()
        return True

    def _backoff(self) -> float:
        # Jitter: many processes that failed together shall not come back together.
        longest: float = min(BACKOFF_SECONDS * 2**self._failures, BACKOFF_MAX)
        return longest * random.uniform(0.5, 1.0)
