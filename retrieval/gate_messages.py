"""What a refusal says, in both languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

MAX_TERMS: Final = 4
"""Words named as not found; more is noise."""
MAX_WORD: Final = 60
"""Characters of a word that are shown."""

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "": "The documentation does not answer this question",
        "low_confidence_shortlist": "No document surely fits; these come nearest",
        "no_file_candidates": "No document of the index fits this question",
        "target_doc_missing": "The documentation does not describe what is asked about",
        "missing": "nothing found on {terms}",
        "apart": "{path} says nothing of {terms}",
        "nearest": "Nearest: {paths}",
        "quoted": "“{}”",
    },
    "ru": {
        "": "В документации нет ответа на этот вопрос",
        "low_confidence_shortlist": "Ни один документ не подходит уверенно; это лишь ближайшие",
        "no_file_candidates": "В индексе нет документа, который подходит к вопросу",
        "target_doc_missing": "В документации нет описания того, о чём спрашивают",
        "missing": "не найдено {terms}",
        "apart": "в {path} не сказано про {terms}",
        "nearest": "Ближайшее: {paths}",
        "quoted": "«{}»",
    },
}


def refusal(
    language: str,
    reason: str,
    missing: Sequence[str],
    nearest: Sequence[str],
    apart: Sequence[str] = (),
) -> str:
    """One or two lines: that there is no answer, the words that were not found, where to look.

    missing: words that no document has; apart: words that the first of the nearest lacks, said
    only when all words are known.
    """
    words = _WORDS["ru" if language == "ru" else "en"]
    text = words.get(reason, words[""])
    if missing or (apart and nearest):
        shown = (missing or apart)[:MAX_TERMS]
        terms = ", ".join(words["quoted"].format(_short(t)) for t in shown)
        said = words["missing" if missing else "apart"]
        text = f"{text}: {said.format(terms=terms, path=_printable(''.join(nearest[:1])))}"
    text = f"{text}."
    if nearest:
        text += "\n" + words["nearest"].format(paths=", ".join(_printable(p) for p in nearest))
    return text


def _short(text: str) -> str:
    word = _printable(text)
    return word if len(word) <= MAX_WORD else f"{word[: MAX_WORD - 1]}…"


def _printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable())
