"""A file that is not UTF-8

What it does: reports a document in another encoding, or with bytes that are no text in UTF-8.

Why: readers guess: one sees the text, the next sees `Ð¡Ð¿Ð¸ÑÐ¾Ðº`, search finds nothing.

Example: a page saved as windows-1251.

Fix: save the file as UTF-8. The message names the encoding that fits.
"""

from __future__ import annotations

from docs_agent.lint.finding import ERROR
from docs_agent.lint.rule import Rule

# Found while the file is read: a page knows text, not bytes.
RULE = Rule("DOC002", "not-utf8", "The file is not UTF-8", ERROR)
