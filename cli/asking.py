"""What `ask` and `find-files` share: open everything once, answer, print."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs_agent.cli.console import note, print_json, print_lines
from docs_agent.cli.language_model import TellOnce
from docs_agent.cli.options import is_blank, tell_left_out
from docs_agent.cli.project import Project, reading
from docs_agent.cli.render.answer import answer_json, answer_lines, explain_lines, files_json
from docs_agent.core.errors import InputError
from docs_agent.core.evidence import INSUFFICIENT_EVIDENCE, Answer
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.ask import Scope, Tools, answer_question, find_documents

if TYPE_CHECKING:
    from docs_agent.core.llm.protocol import LLM

ANSWERED = 0
REFUSED = 1
_SHOWN_FOLDERS: Final = 5
_ALIKE: Final = 0.5


def ask_one(
    question: str,
    project: Project,
    scope: Scope,
    llm: LLM | None,
    *,
    explain: bool,
    as_json: bool,
) -> int:
    """Answers one question; the exit status says whether the documentation has an answer."""
    with _tools(project, scope, llm) as tools:
        started = time.perf_counter()
        answer = answer_question(question, tools, scope)
        seconds = time.perf_counter() - started
    tell_left_out(answer.route.left_out)
    if as_json:
        print_json(answer_json(answer, seconds))
    else:
        _print(answer, explain=explain)
    return _status(answer)


def find(question: str, project: Project, scope: Scope, *, explain: bool, as_json: bool) -> int:
    """Lists documents; the exit status says whether there are any.

    No language model is asked: where the question goes is said by the command.
    """
    with _tools(project, scope, None) as tools:
        answer = find_documents(question, tools, scope)
    tell_left_out(answer.route.left_out)
    if as_json:
        print_json(files_json(answer))
    else:
        _print(answer, explain=explain)
    return _status(answer)


def ask_many(batch: Path, project: Project, scope: Scope, llm: LLM | None) -> int:
    """Answers every line of a JSON-lines file, one object a line, in order, with one load of all.

    A line that cannot be read gives an object with `error`; the rest goes on, and the exit status
    is 2.
    """
    status = ANSWERED
    with _tools(project, scope, llm) as tools:
        for number, line in enumerate(_lines(batch), start=1):
            if not line.strip():
                continue
            request = _request(line)
            if isinstance(request, str):
                note(f"error: {batch}:{number}: {request}")
                print_json({"line": number, "error": request}, indent=None)
                status = InputError.exit_status
                continue
            started = time.perf_counter()
            answer = answer_question(request["query"], tools, scope)
            seconds = time.perf_counter() - started
            tell_left_out(answer.route.left_out, f"{batch}:{number}: ")
            print_json({"id": request["id"], **answer_json(answer, seconds)}, indent=None)
    return status


@contextmanager
def _tools(project: Project, scope: Scope, llm: LLM | None) -> Iterator[Tools]:
    from docs_agent.core.embed.protocol import Metered
    from docs_agent.core.embed.registry import make_encoder, reading_embedder

    with reading(project) as (store, reader):
        _refuse_empty(scope.path_prefixes, reader)
        embedder = reading_embedder(reader.session.embedder, project.config.embedder, os.environ)
        if isinstance(embedder, Metered):
            from docs_agent.core.embed.by_words import ByWordsWithout

            embedder = ByWordsWithout(embedder, TellOnce("embedder", "answered by words alone"))
        yield Tools(
            store=store,
            reader=reader,
            embedder=embedder,
            encoder=make_encoder() if embedder.dim else None,
            router=project.config.router,
            llm=llm,
            trouble=TellOnce(),
        )


def _refuse_empty(prefixes: tuple[str, ...], reader: Reader) -> None:
    """Raises InputError when no document lies under the prefixes: that the words of a question
    were not found there would be no answer."""
    if not prefixes or reader.rows_of(RowFilter(path_prefixes=prefixes), limit=1):
        return
    from difflib import get_close_matches

    folders = sorted({path.rpartition("/")[0] for path in (f.path for f in reader.files())} - {""})
    wanted = prefixes[0].rstrip("/")
    close = get_close_matches(wanted, folders, n=_SHOWN_FOLDERS, cutoff=_ALIKE)
    below = [folder for folder in folders if folder.rpartition("/")[2] == wanted]
    shown = ", ".join(dict.fromkeys((*below, *close)[:_SHOWN_FOLDERS] or folders[:_SHOWN_FOLDERS]))
    raise InputError(
        f"no indexed documents under {', '.join(prefixes)}",
        remedy="give --path-prefix relative to the project root"
        + (f", for example {shown}" if shown else "; documents lie in the root only"),
    )


def _print(answer: Answer, *, explain: bool) -> None:
    print_lines(answer_lines(answer))
    if explain:
        print_lines(explain_lines(answer))


def _status(answer: Answer) -> int:
    return REFUSED if answer.answer_mode == INSUFFICIENT_EVIDENCE else ANSWERED


def _lines(batch: Path) -> Iterator[str]:
    if str(batch) == "-":
        yield from sys.stdin
        return
    try:
        with batch.open(encoding="utf-8-sig", errors="replace") as file:
            yield from file
    except OSError as error:
        raise InputError(
            f"the batch file cannot be read: {error.strerror}",
            path=str(batch),
            remedy='give a file with one {"id": …, "query": …} object a line',
        ) from None


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _request(line: str) -> dict[str, Any] | str:
    """The request, or what is wrong with the line."""
    try:
        value = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if not isinstance(value, dict) or not isinstance(value.get("query"), str):
        return 'not an object with "id" and a text "query"'
    if not isinstance(value.get("id"), str | int):
        return '"id" must be a text or an integer'
    if is_blank(value["query"]):
        return 'the "query" is empty'
    return value
