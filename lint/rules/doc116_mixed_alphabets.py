"""A word of two alphabets that look alike

What it does: reports words in which the letters of one alphabet, Latin or Cyrillic, all look like
letters of the other: `Cервис` with a Latin C, `сonfig` with a Cyrillic с. A name with a Russian
ending (`JSONом`) is meant so.

Why: the word looks right and is not found; a command or key with such a letter fails.

Example: a heading typed with the wrong keyboard layout for its first letter.

Fix: type the word anew. `--fix --unsafe-fixes` replaces the letters of the rarer alphabet.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.alphabets import mixed_words
from docs_agent.lint.finding import WARNING, Edit, Fix, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report each such word, code and metadata included."""
    for number, line in enumerate(page.lines, 1):
        if line.isascii():
            continue
        for start, word, meant in mixed_words(line):
            span = Span(number, start + 1, number, start + len(word) + 1)
            fix = Fix(f"write `{meant}` in one alphabet", (Edit(span, meant),), safe=False)
            yield Hit(span, f"`{word}` mixes Latin and Cyrillic letters that look alike", fix)


RULE = Rule(
    "DOC116",
    "mixed-alphabets",
    "A word mixes letters of two alphabets that look alike",
    WARNING,
    check,
    fixable="unsafe",
)
