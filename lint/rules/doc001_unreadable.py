"""A file that is no readable document

What it does: reports a document that cannot be opened, is binary, or is larger than
`index.max_file_bytes`. The rest of the run goes on.

Why: nothing of such a file is checked, found or answered from, and nobody notices.

Example: `scan.md` that holds a PDF.

Fix: replace the file with text, split it, or exclude it (`docs.exclude`).
"""

from __future__ import annotations

from docs_agent.lint.finding import ERROR
from docs_agent.lint.rule import Rule

# Found while the file is read, where there is no page to ask yet.
RULE = Rule("DOC001", "unreadable", "The file cannot be read as a document", ERROR)
