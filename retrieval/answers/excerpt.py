"""Choosing what to quote of a passage."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.quote import DEFINED
from docs_agent.retrieval.answers.rendering import ANNOUNCING, MAX_CODE, kind_of, quoted
from docs_agent.retrieval.answers.wording import Wording

WHOLE_PASSAGE: Final = 700
"""Characters up to which a section is quoted whole."""
WHOLE_PAGE: Final = 350
"""The same for a document without sections, which speaks of several things."""
SMALL_SECTION: Final = 900
"""Characters of a section in which code belongs to the sentence before it."""
CODE_SAYS: Final = 0.3
"""Share of the question in the words of code that is quoted for its own sake."""
FEW: Final = 5
"""Items of a list that is not cut into single ones."""
WHOLE_PARAGRAPH: Final = 350
"""Characters up to which the sentences of a paragraph stay together."""
APART_SAYS: Final = 0.3
"""Share of the question that an item must say to be the answer without its neighbours."""
WHOLE_LIST: Final = 8
"""Items up to which a list is kept whole."""
DRAWINGS: Final = ("mermaid", "dot", "plantuml", "svg")
"""Languages of code that draws: its source answers nothing."""
ENOUGH: Final = 3
"""Statements after which only those count that say enough themselves."""
WORTH_OF_PAGE: Final = 0.6
"""Share of the best statement's score that counts in a document without sections."""
WORTH: Final = 0.35
"""Share of the best statement's score that is enough."""


class Budget(NamedTuple):
    """How much may be quoted."""

    lines: int
    characters: int

    def less(self, spent: Budget) -> Budget:
        return Budget(self.lines - spent.lines, self.characters - spent.characters)

    def after(self, parts: Sequence[Part]) -> Budget:
        lines = sum(part.text.count("\n") + 1 for part in parts)
        return self.less(Budget(lines, sum(len(part.text) for part in parts)))

    def within(self, other: Budget) -> bool:
        return self.lines <= other.lines and self.characters <= other.characters

    @property
    def spent(self) -> bool:
        return self.lines <= 0 or self.characters <= 0


def excerpt(passage: Passage, budget: Budget, words: Wording) -> tuple[Part, ...]:
    """The statements of a passage that say most about the question, in document order."""
    chosen = _from_the_first_step(passage, _chosen(passage, budget))
    return quoted(passage, chosen, words, counted=True, headed=True)


def _chosen(passage: Passage, budget: Budget) -> set[Statement]:
    everything = [
        s for s in _standing(passage) if passage.blocks[s.block].info not in DRAWINGS
    ] or list(passage.statements)
    limit = WHOLE_PAGE if passage.alone else WHOLE_PASSAGE
    if _cost(everything).within(Budget(budget.lines, min(limit, budget.characters))):
        return _with_labels(passage, everything)
    worth = WORTH_OF_PAGE if passage.alone else WORTH
    best = sorted(everything, key=lambda s: (_is_aside(passage, s), -s.score, s.unit.start))
    chosen: set[Statement] = set()
    left = budget
    for statement in best:
        weak = statement.score < worth * best[0].score or _is_aside(passage, statement)
        if weak and (len(chosen) >= ENOUGH or (chosen and passage.alone)):
            break
        for group in (companions(passage, statement), [statement]):
            fresh = [s for s in group if s not in chosen]
            if _cost(fresh).within(left) or (not chosen and group == [statement]):
                chosen.update(fresh)
                left = left.less(_cost(fresh))
                break
    return _with_labels(passage, _bridged(passage, everything, chosen, left))


def _bridged(
    passage: Passage, everything: Sequence[Statement], chosen: set[Statement], left: Budget
) -> set[Statement]:
    """The chosen statements with single ones of running text between them: an argument does not
    lose its middle."""
    for before, between, after in zip(everything, everything[1:], everything[2:], strict=False):
        alone = between not in chosen and before in chosen and after in chosen
        if alone and kind_of(passage, between) == "paragraph" and _cost([between]).within(left):
            chosen = chosen | {between}
            left = left.less(_cost([between]))
    return chosen


def _standing(passage: Passage) -> list[Statement]:
    """The statements without those of a list or table of which some items alone answer, and
    without the tabs that are not asked for where one is."""
    labels = {s.block: s.words for s in passage.statements if kind_of(passage, s) == "label"}
    asked = {block for block, said in labels.items() if said > 0}
    apart = {s.block for s in passage.statements if _apart(passage, s)}
    kept = []
    for s in passage.statements:
        label = s.block if s.block in labels else passage.label_of(s.block)
        if asked and label >= 0 and label not in asked:
            continue
        if s.block not in apart or _apart(passage, s):
            kept.append(s)
    return kept


def _listed(passage: Passage, statement: Statement) -> bool:
    return kind_of(passage, statement) in ("list", "table")


def _with_labels(passage: Passage, chosen: Collection[Statement]) -> set[Statement]:
    """The statements with the labels of their blocks, without labels of nothing."""
    blocks = {s.block for s in chosen if passage.blocks[s.block].kind != "label"}
    labels = {passage.label_of(block) for block in blocks}
    return {s for s in passage.statements if s.block in labels} | {
        s for s in chosen if s.block in blocks
    }


def _from_the_first_step(passage: Passage, chosen: set[Statement]) -> set[Statement]:
    """A procedure is never entered in the middle: the steps before those chosen come along."""
    last: dict[int, Statement] = {}
    count: dict[int, int] = {}
    for s in passage.statements:
        if s in chosen and _listed(passage, s):
            last[s.block] = s
            count[s.block] = count.get(s.block, 0) + 1
    ordered = {
        block
        for block, s in last.items()
        if (count[block] > 1 or not _apart(passage, s)) and passage.blocks[block].units[0].number
    }
    reached: set[int] = set()
    added: set[Statement] = set()
    for s in passage.statements:
        if s.block in ordered and s.block not in reached:
            added.add(s)
            if s == last[s.block]:
                reached.add(s.block)
    return chosen | added


def _is_aside(passage: Passage, statement: Statement) -> bool:
    """True for long code, drawings and code nobody announces: quoted last."""
    block = passage.blocks[statement.block]
    if block.kind != "code":
        return False
    if block.info in DRAWINGS or _is_long(statement):
        return True
    return not _announced(passage, statement.block) and statement.words < CODE_SAYS


def _announced(passage: Passage, block: int) -> bool:
    """True for a block that opens its section, has a label or follows a sentence with a colon."""
    before = passage.blocks[block - 1] if block else None
    if before is None or before.kind in ("label", "heading"):
        return True
    return bool(before.units) and before.units[-1].text.endswith(":")


def _is_long(code: Statement) -> bool:
    return code.unit.text.count("\n") >= MAX_CODE


def _cost(statements: Sequence[Statement]) -> Budget:
    lines = sum(min(s.unit.text.count("\n") + 1, MAX_CODE) for s in statements)
    return Budget(lines, sum(len(s.unit.text) for s in statements))


def companions(passage: Passage, statement: Statement) -> list[Statement]:
    """A statement with what it cannot be read without: the list or code it announces or that
    shows what it says, the sentence that announces it, the whole of a short list or table."""
    block = passage.blocks[statement.block]
    group = [statement]
    if (
        block.kind in ("list", "table")
        and len(block.units) <= WHOLE_LIST
        and not _apart(passage, statement)
    ):
        group = [s for s in passage.statements if s.block == statement.block]
    if block.kind == "paragraph" and sum(len(u.text) for u in block.units) <= WHOLE_PARAGRAPH:
        group = [s for s in passage.statements if s.block == statement.block]
    group += _following(passage, group[-1])
    if block.kind == "code" or (block.kind in ("list", "table") and len(group) > 1):
        before = [s for s in passage.statements if s.block == statement.block - 1]
        if before and (before[-1].unit.text.endswith(ANNOUNCING) or block.kind == "code"):
            group = [before[-1], *group]
    return list(dict.fromkeys(group))


def _following(passage: Passage, statement: Statement) -> list[Statement]:
    block = passage.blocks[statement.block]
    following = [s for s in passage.statements if s.block == statement.block + 1]
    if not following or block.kind not in ("paragraph", "label"):
        return []
    kind = passage.blocks[statement.block + 1].kind
    if statement.unit.text.endswith(ANNOUNCING) or block.kind == "label":
        if kind in ("code", "label") or len(following) <= WHOLE_LIST:
            return following
        return []
    shows = kind == "code" and statement.unit == block.units[-1]
    small = _cost(passage.statements).characters <= SMALL_SECTION
    if shows and not _is_aside(passage, following[0]._replace(words=1.0)):
        return following if small or following[0].words >= CODE_SAYS else []
    return []


def _apart(passage: Passage, statement: Statement) -> bool:
    """True when an item alone answers: it says more of the question than the rest of its list or
    table. Few items that nothing names belong together."""
    if not _listed(passage, statement):
        return False
    own = [s for s in passage.statements if s.block == statement.block]
    said = sorted((s.words for s in own), reverse=True)
    if len(said) < 2 or said[0] <= APART_SAYS or statement.words < 0.8 * said[0]:
        return False
    block = passage.blocks[statement.block]
    named = block.kind == "table" or block.info == DEFINED
    rest = [words for words in said if words < 0.8 * said[0]]
    factor = 1.5 if named else 2.0
    if len(own) < FEW and not named:
        return False
    return bool(rest) and said[0] > factor * max(rest) and len(rest) * 2 >= len(said)
