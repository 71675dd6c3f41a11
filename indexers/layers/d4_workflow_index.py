"""D4: scenarios, flows and procedures.

Sources, in this order: sections called Scenario or Use case (bold labels or sub-headings), the
flows of an architecture overview, ordered lists under a how-to heading and any other ordered list
of at least three steps. Steps keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_agent.core.layers import D4
from docs_agent.core.records import LexicalText, Record
from docs_agent.indexers.document import Block, Section
from docs_agent.indexers.layers.building import LayerRecords, place
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.inline import clip, key_and_value, plain
from docs_agent.indexers.layers.scenario import FIELDS, Draft, lines_of, read_scenarios
from docs_agent.templates.lookup import is_how_to, label_role

MIN_STEPS: Final = 3
"""Items that make an ordered list a procedure; two are enough under a how-to heading."""
MAX_WORKFLOWS: Final = 60
MAX_LINES: Final = 200
"""Lines of one field."""
EMBED_LIMIT: Final = 2000
_SCENARIOS: Final = frozenset({"scenario", "flows"})
_NO_STEPS: Final = frozenset({"history", "related_docs", "related_code", "entities"})
_HEADINGS: Final = {
    "ru": {
        "preconditions": "Предусловия",
        "trigger": "Триггер",
        "main_flow": "Основной сценарий",
        "alternative_flow": "Альтернативный сценарий",
        "error_handling": "Обработка ошибок",
        "postconditions": "Постусловие",
    },
    "en": {
        "preconditions": "Preconditions",
        "trigger": "Trigger",
        "main_flow": "Main flow",
        "alternative_flow": "Alternative flow",
        "error_handling": "Error handling",
        "postconditions": "Postconditions",
    },
}


def extract_workflows(context: DocumentContext) -> tuple[Record, ...]:
    """One record per scenario, at most MAX_WORKFLOWS."""
    drafts = list(_scenarios(context))
    if len(drafts) == 1:
        _complete(context, drafts[0])
    if context.doc_kind != "changelog":
        drafts.extend(_procedures(context))
    drafts.sort(key=lambda d: d.start)
    if len(drafts) > MAX_WORKFLOWS:
        context.warn(
            drafts[MAX_WORKFLOWS].start,
            "workflows-capped",
            f"The document holds {len(drafts)} step lists; the first {MAX_WORKFLOWS} were taken. "
            "Split the document to have all of them.",
        )
    records = LayerRecords(context, D4, "workflow_id")
    for draft in drafts[:MAX_WORKFLOWS]:
        _add(context, records, draft)
    return records.done()


def _add(context: DocumentContext, records: LayerRecords, draft: Draft) -> None:
    doc = context.doc
    name = draft.name or doc.title
    fields = {role: _limited(context, draft, role) for role in FIELDS}
    content = _readable(doc.lang, name, fields)
    records.add(
        (draft.anchor, name, *fields["main_flow"]),
        title=name if name == doc.title else f"{doc.title} › {name}",
        content=content,
        span=(draft.start, draft.end),
        metadata={
            "document_id": context.document_id,
            "workflow_name": name,
            **{role: lines for role, lines in fields.items() if role != "trigger"},
            "trigger": "\n".join(fields["trigger"]),
            **place(context),
            "anchor": draft.anchor,
        },
        lexical=LexicalText(
            title=name,
            section=context.section_path(context.section_at(draft.start)),
            path=doc.path,
            body=plain(content),
        ),
        embed_text=clip(f"{doc.title}\n{plain(content)}", EMBED_LIMIT),
    )


def _limited(context: DocumentContext, draft: Draft, role: str) -> list[str]:
    lines = draft.fields.get(role, [])
    if len(lines) > MAX_LINES:
        context.warn(
            draft.start,
            "workflow-capped",
            f"The scenario's {role} has {len(lines)} lines; the first {MAX_LINES} were taken. "
            "Split the scenario to have all of them.",
        )
    return lines[:MAX_LINES]


def _readable(lang: str, name: str, fields: dict[str, list[str]]) -> str:
    headings = _HEADINGS.get(lang, _HEADINGS["en"])
    parts = [name]
    for role in FIELDS:
        lines = fields[role]
        if not lines:
            continue
        if len(lines) == 1 and role != "main_flow":
            parts.append(f"{headings[role]}: {lines[0]}")
        else:
            bullets = (t if _is_marked(t) else f"- {t}" for t in lines)
            parts.append(f"{headings[role]}:\n" + "\n".join(bullets))
    return "\n\n".join(parts)


def _is_marked(line: str) -> bool:
    head = line.lstrip()
    return head.startswith(("- ", "|", "```", "~~~")) or head.partition(". ")[0].isdigit()


def _scenarios(context: DocumentContext) -> Iterator[Draft]:
    done = -1
    for index, role in enumerate(context.roles):
        if index > done and role in _SCENARIOS:
            done = context.subtree(index)[-1]
            yield from read_scenarios(context, index)


def _complete(context: DocumentContext, draft: Draft) -> None:
    """What the document says once for its only scenario: the trigger in the summary, preconditions
    among the requirements."""
    for index, section in enumerate(context.doc.sections):
        items = [item for b in section.blocks for item in b.items]
        if "summary" in context.lineage[index] and "trigger" not in draft.fields:
            pairs = (key_and_value(item.text) for item in items)
            found = [p[1] for p in pairs if p and label_role(p[0]) == "trigger" and p[1]]
            if found:
                draft.fields["trigger"] = found[:1]
        if context.roles[index] == "preconditions" and "preconditions" not in draft.fields:
            draft.fields["preconditions"] = [item.text for item in items]


def _procedures(context: DocumentContext) -> Iterator[Draft]:
    for index, section in enumerate(context.doc.sections):
        if context.lineage[index] & (_SCENARIOS | _NO_STEPS):
            continue
        enough = 2 if is_how_to(section.title or context.doc.title) else MIN_STEPS
        for blocks in _step_lists(section):
            items = [item for b in blocks for item in b.items if item.text.strip()]
            steps = [item for item in items if item.level == 0]
            linked = sum(item.text.lstrip("*_").startswith("[") for item in steps)
            if len(steps) < enough or linked * 5 >= len(steps) * 4:
                continue
            draft = Draft(
                section.title or context.doc.title,
                section.level,
                blocks[0].start,
                section.anchor,
                blocks[-1].end,
            )
            draft.fields["main_flow"] = [line.text for b in blocks for line in lines_of(b)]
            yield draft


def _step_lists(section: Section) -> Iterator[list[Block]]:
    """Ordered lists; one that goes on counting after a code block is the same list."""
    run: list[Block] = []
    last = 0
    for block in section.blocks:
        numbers = [i.number for i in block.items if i.level == 0]
        if not numbers or not numbers[0]:
            continue
        if run and numbers[0] != last + 1:
            yield run
            run = []
        run.append(block)
        last = numbers[-1]
    if run:
        yield run
