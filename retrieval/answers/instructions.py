"""What to do: the statements that say it, and the section that goes on from the trouble to it.

Documentation tells of the trouble in the words of the question and of the way out in its own, often
under the next heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.terms import says_number
from docs_agent.retrieval.answers.wording import Wording

PREFERRED: Final = 0.2
"""What a statement gains that is of the kind asked for."""
FAR: Final = 4
"""Statements of a section up to its first instruction."""
_VERBS: Final = """
add annotate apply assign call change check configure convert create declare define disable enable
import include inherit install mount override pass provide put raise register remove replace return
run save send set specify store subclass switch turn use wrap write
adding calling changing configuring creating declaring defining disabling enabling importing
including installing mounting overriding passing providing putting raising registering removing
replacing returning running setting specifying using wrapping
можно можете нужно надо достаточно необходимо следует
"""
"""Words that instruct, in the forms in which they do."""
_IMPERATIVE: Final = ("йте", "ите", "ьте", "йтесь", "итесь", "ьтесь")
"""Endings of the Russian imperative."""
_TELLING: Final = ("видите", "захотите", "получите", "помните", "смотрите", "увидите", "хотите")
"""Words with such an ending that tell what is or will be."""
_INSTRUCTING = frozenset(_VERBS.split())
_WORD = re.compile(r"[a-zа-яё]+")
_CODE = re.compile(r"`[^`]*`")


def instructs(text: str) -> bool:
    """True for a statement that names code and says to do something with it."""
    return "`" in text and says_to_do(text)


def says_to_do(text: str) -> bool:
    """True for a statement with a verb that instructs, outside its code."""
    words = _WORD.findall(_CODE.sub(" ", text).lower())
    return any(
        word in _INSTRUCTING or (word.endswith(_IMPERATIVE) and word not in _TELLING)
        for word in words
    )


def preferred(found: Sequence[Passage], *, quantity: bool) -> list[Passage]:
    """The passages, best first, each with the kind of statements that is asked for before those
    that are as near to the question: what to do, or a number where `quantity` is asked for."""
    kept = [_preferred(passage, quantity=quantity) for passage in found]
    return sorted(kept, key=lambda passage: -passage.score)


def _preferred(passage: Passage, *, quantity: bool) -> Passage:
    wanted = [
        says_number(s.unit.text, s.found) if quantity else _says(passage, s)
        for s in passage.statements
    ]
    statements = tuple(
        s._replace(score=s.score + PREFERRED) if yes else s
        for s, yes in zip(passage.statements, wanted, strict=True)
    )
    gain = PREFERRED if quantity and any(wanted) else 0.0
    return passage._replace(statements=statements, score=passage.score + gain)


def continuation(
    passage: Passage, told: Sequence[Part], found: Sequence[Passage], words: Wording
) -> tuple[Passage, tuple[Part, ...]] | None:
    """The next section of the document up to its first instruction, where what was quoted of a
    passage reaches its end without one; None where there is none near.

    told: what was quoted of `passage`; found: the passages of the documents, in any order.
    """
    if passage.alone or any(instructs(part.text) for part in told):
        return None
    ends = max((part.place.end for part in told if part.place is not None), default=0)
    if not passage.is_page and ends < passage.statements[-1].unit.start:
        return None
    after = [
        p
        for p in found
        if p.row.path == passage.row.path and p.row.span_start > passage.row.span_start
    ]
    following = min(after, key=lambda p: p.row.span_start, default=None)
    reached = _reached(following) if following is not None else ()
    if following is None or not reached:
        return None
    return following, quoted(following, reached, words, headed=True)


def _reached(following: Passage) -> tuple[Statement, ...]:
    """The first statements of a section up to one that says what to do; empty without one. That
    the code is named before it is enough."""
    near = following.statements[:FAR]
    code = False
    for n, s in enumerate(near):
        text = s.unit.text
        if following.blocks[s.block].kind != "code":
            code = code or "`" in text
            if code and says_to_do(text):
                return near[: n + 1]
    return ()


def _says(passage: Passage, statement: Statement) -> bool:
    return passage.blocks[statement.block].kind != "code" and instructs(statement.unit.text)
