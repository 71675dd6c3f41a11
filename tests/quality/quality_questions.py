"""The questions of questions/*.yml: what they may hold, read and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "notify"
DOCS = SAMPLE / "docs"
QUESTIONS = Path(__file__).parent / "questions"
KEYS = frozenset({"id", "query", "lang", "kind", "gold", "answer_contains", "unanswerable"})
REQUIRED = frozenset({"id", "query", "lang", "kind"})
MARKUP = str.maketrans("", "", "`*")


class BadQuestion(ValueError):
    """A question file breaks a rule; the message names the file, the question and the rule."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and what a good answer to it is."""

    id: str
    """Unique; begins with the kind."""
    query: str
    """As a person types it."""
    lang: str
    """Language of the question: `ru` or `en`."""
    kind: str
    """Slice that it counts in; the name of its file."""
    gold: tuple[str, ...]
    """Documents that answer it, relative to the documentation; empty for an unanswerable one."""
    answer_contains: tuple[tuple[str, ...], ...]
    """Strings the answer must hold; of an inner tuple one is enough."""
    unanswerable: bool
    """The documentation does not answer it: it must be refused."""


def plain(text: str) -> str:
    """Text as strings are looked for in it: no code marks, one space, no letter case."""
    return " ".join(text.translate(MARKUP).split()).casefold()


def holds(text: str, wanted: tuple[tuple[str, ...], ...]) -> bool:
    """Whether every wanted string, or one of its alternatives, occurs in the text."""
    searched = plain(text)
    return all(any(plain(one) in searched for one in either) for either in wanted)


def load_questions(folder: Path = QUESTIONS) -> tuple[Question, ...]:
    """All questions, by file and place. Raises BadQuestion for the first that breaks a rule."""
    found: dict[str, Question] = {}
    for file in sorted(folder.glob("*.yml")):
        entries = yaml.safe_load(file.read_text(encoding="utf-8"))
        if not isinstance(entries, list):
            raise BadQuestion(f"{file.name}: a list of questions is expected")
        for entry in entries:
            question = _question(entry, file)
            if question.id in found:
                raise BadQuestion(f"{file.name}: {question.id}: this id is used twice")
            found[question.id] = question
    return tuple(found.values())


def _question(entry: Any, file: Path) -> Question:
    if not isinstance(entry, dict):
        raise BadQuestion(f"{file.name}: `{entry}` is not a question with keys")
    where = f"{file.name}: {entry.get('id', entry.get('query', 'a question without an id'))}"
    if unknown := set(entry) - KEYS:
        raise BadQuestion(f"{where}: unknown key {', '.join(sorted(map(str, unknown)))}")
    if missing := REQUIRED - set(entry):
        raise BadQuestion(f"{where}: {', '.join(sorted(missing))} is missing")
    for key in sorted(REQUIRED):
        if not isinstance(entry[key], str) or not entry[key].strip():
            raise BadQuestion(f"{where}: {key} must be text; put it into quotes")
    question = Question(
        id=entry["id"],
        query=entry["query"],
        lang=entry["lang"],
        kind=entry["kind"],
        gold=_texts(entry.get("gold", []), "gold", where),
        answer_contains=_wanted(entry.get("answer_contains", []), where),
        unanswerable=entry.get("unanswerable", False),
    )
    _check(question, file, where)
    return question


def _texts(value: Any, key: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
        raise BadQuestion(f"{where}: {key} must be a list of texts; put numbers into quotes")
    return tuple(value)


def _wanted(value: Any, where: str) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list):
        raise BadQuestion(f"{where}: answer_contains must be a list of texts")
    either = [one if isinstance(one, list) and one else [one] for one in value]
    return tuple(_texts(one, "answer_contains", where) for one in either)


def _check(question: Question, file: Path, where: str) -> None:
    if question.lang not in ("ru", "en"):
        raise BadQuestion(f"{where}: lang must be ru or en")
    if question.kind != file.stem:
        raise BadQuestion(f"{where}: kind must be {file.stem}, the name of the file")
    if not isinstance(question.unanswerable, bool):
        raise BadQuestion(f"{where}: unanswerable must be true or false")
    if question.unanswerable and (question.gold or question.answer_contains):
        raise BadQuestion(f"{where}: an unanswerable question has no gold and no answer")
    if not question.unanswerable and not question.gold:
        raise BadQuestion(f"{where}: gold is missing; name the documents that answer it")
    for path in question.gold:
        if not (DOCS / path).is_file():
            raise BadQuestion(f"{where}: there is no document {path}")
    texts = [(DOCS / path).read_text(encoding="utf-8") for path in question.gold]
    for either in question.answer_contains:
        for one in either:
            if not any(holds(text, ((one,),)) for text in texts):
                raise BadQuestion(f"{where}: no gold document says `{one}`")
