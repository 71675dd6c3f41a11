"""Everything that can go wrong and is told to a person, as one tree.

    DocsAgentError                 the root: message, remedy, exit status
    ├── UsageError                 the call or the configuration is wrong (exit 2)
    │   ├── ConfigError            docs-agent.toml or pyproject.toml cannot be used
    │   └── PathRefusedError       a path points outside the project root
    ├── InputError                 a document or folder cannot be read (exit 2)
    ├── OutputError                the result cannot be written (exit 2)
    ├── StoreError                 the index cannot be used (exit 2)
    │   ├── NoIndexError           nothing has been indexed yet
    │   ├── IndexBusyError         another process is writing the index
    │   ├── IndexCorruptError      the file is not an index, or is damaged
    │   └── EmbedderMismatchError  the index was built with another embedder
    └── ServiceError               an outside service failed (exit 3); it may be `retryable`

An expected "no" (nothing found, too little evidence) is a value, never one of these.
"""

from __future__ import annotations

from typing import Final

_SHOWN_CHARACTERS: Final = 60


def beginning(text: str) -> str:
    """As much of a name or value as an error quotes, on one line; `…` stands for the rest."""
    shown = " ".join(text[: _SHOWN_CHARACTERS + 1].split())
    return shown if len(text) <= _SHOWN_CHARACTERS else f"{shown[:_SHOWN_CHARACTERS]}…"


class DocsAgentError(Exception):
    """Root of the tree.

    message: what happened, one sentence, no trailing dot needed.
    remedy: what to do next; empty when there is nothing to do.
    path, line: where, when the error has a place (`line` is 1-based, 0 = the whole file).
    """

    exit_status = 2
    retryable = False

    def __init__(self, message: str, *, remedy: str = "", path: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.path = path
        self.line = line


class UsageError(DocsAgentError):
    """The call itself is wrong: an unknown option value, a missing argument."""


class ConfigError(UsageError):
    """The configuration file cannot be parsed or holds an unknown or ill-typed key."""


class PathRefusedError(UsageError):
    """A path leaves the project root, directly or through a symlink."""


class InputError(DocsAgentError):
    """A file or folder that was named by the caller cannot be read."""


class OutputError(DocsAgentError):
    """Standard output or a file cannot be written: the disk is full, the terminal is gone."""


class StoreError(DocsAgentError):
    """The index database cannot be opened, read or written."""


class NoIndexError(StoreError):
    """There is no index yet, or none for this session."""


class IndexBusyError(StoreError):
    """Another process holds the write lock; the message names it."""

    retryable = True


class IndexCorruptError(StoreError):
    """The database file is damaged, is no index, or was written by a newer version."""


class EmbedderMismatchError(StoreError):
    """The query's embedder and the index's embedder have different fingerprints."""


class ServiceError(DocsAgentError):
    """A remote embedder or language model failed.

    status: HTTP status, 0 when there was no reply.
    detail: what the service said, cleaned and without secrets, for deciding what to do next.
    """

    exit_status = 3

    def __init__(
        self,
        message: str,
        *,
        remedy: str = "",
        path: str = "",
        line: int = 0,
        retryable: bool = False,
        status: int = 0,
        detail: str = "",
    ) -> None:
        super().__init__(message, remedy=remedy, path=path, line=line)
        self.retryable = retryable
        self.status = status
        self.detail = detail
