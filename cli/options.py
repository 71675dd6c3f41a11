"""Options that several commands share, described once."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Annotated, Final

import typer

_QUESTION_HELP: Final = "The question, in Russian or English; its words are joined by spaces."
Question = Annotated[list[str], typer.Argument(help=_QUESTION_HELP)]
OptionalQuestion = Annotated[list[str] | None, typer.Argument(help=_QUESTION_HELP)]
Root = Annotated[
    Path | None,
    typer.Option("--root", help="Project root; found from the current folder when not given."),
]
Db = Annotated[
    Path | None,
    typer.Option(
        "--db", envvar="DOCS_AGENT_DB", help="Index file; `.docs-agent/index.db` in the root."
    ),
]
Session = Annotated[str, typer.Option("--session", help="Name of the indexed state.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Explain = Annotated[bool, typer.Option("--explain", help="Show how the result came about.")]
UseLlm = Annotated[
    bool | None,
    typer.Option(
        "--llm/--no-llm",
        help="Let a language model help to route; by default when one is configured.",
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit",
        min=1,
        max=1000,
        help="Documents to use, or lines of a list, at most; what suits the question by default.",
    ),
]
PathPrefix = Annotated[
    list[str] | None,
    typer.Option("--path-prefix", help="Only documents under this folder; may be repeated."),
]
DEFAULT_SESSION = "default"


def question_of(words: list[str]) -> str:
    """The question as one text. Raises UsageError when it holds nothing but white space: that is
    an empty shell variable more often than a question."""
    from docs_agent.core.errors import UsageError

    question = " ".join(words)
    if is_blank(question):
        raise UsageError("the question is empty", remedy='give one: "how does it work"')
    return question


def tell_left_out(characters: int, where: str = "") -> None:
    """Says on stderr that only the beginning of a question was looked at; nothing when all was.

    characters: how many were left out. where: of which question, when there are several.
    """
    if characters:
        from docs_agent.cli.console import note

        note(f"note: {where}the question is very long, {characters:,} characters were left out")


def is_blank(question: str) -> bool:
    """Whether there is nothing to see in the question."""
    return not any(char.isprintable() and not char.isspace() for char in question)


def folders(prefixes: list[str] | None) -> tuple[str, ...]:
    """Path prefixes as the index writes them: `./docs/api` and `docs/api/` mean what lies below."""
    bare = (posixpath.normpath(prefix.replace("\\", "/")) for prefix in prefixes or ())
    return tuple("" if path == "." else path + "/" * (not _is_file(path)) for path in bare)


def _is_file(path: str) -> bool:
    return path.lower().endswith((".md", ".markdown", ".mdx"))
