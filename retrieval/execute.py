"""Carrying out a plan: from a question to ranked documents and the rows that go on to evidence.

    seeds (documents the plan names) ─┐
    words + vectors in each layer ────┴─▶ candidates ─▶ shares added up ─▶ best windows re-ranked
                                                                             ─▶ documents, rows

Nothing is filtered after ranking: hard filters restrict the candidates, and one that leaves none
is given up in a stated order and reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

from docs_agent.core.embed.protocol import Embedder, Encoder, floats, text_key
from docs_agent.core.layers import D0, D1
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import FIND_FILES, GENERAL_QA, RouteResult
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval import fusion
from docs_agent.retrieval.execute_coverage import contained, filed_under
from docs_agent.retrieval.execute_features import features
from docs_agent.retrieval.execute_filters import hard_filter, relaxations
from docs_agent.retrieval.execute_preferences import bonus, overviews, seeds
from docs_agent.retrieval.execute_rows import DESCRIBED, RankedDocument, described, hand_on
from docs_agent.retrieval.execute_spelling import correct
from docs_agent.retrieval.execute_terms import Question, read_terms, weigh
from docs_agent.retrieval.fusion import Candidates, DocumentSignals, RowSignals
from docs_agent.retrieval.rerank import (
    MAX_FOREIGN_ROWS,
    MAX_QUESTION,
    MAX_ROWS,
    Remember,
    Reranked,
    choose,
    compare,
    is_foreign,
    word_by_word,
)

CANDIDATES: Final = 300
"""Rows per layer and signal."""
READ_DOCUMENTS: Final = 40
"""Best documents whose sections are read when the plan itself names no layer of text."""


@dataclass(frozen=True, slots=True)
class Execution:
    """What carrying out one plan found."""

    question: Question
    rows: tuple[Row, ...]
    """At most `plan.limit`, best first, no row twice, all from the plan's layers."""
    documents: tuple[RankedDocument, ...]
    """All candidates, best first; distinct paths."""
    contained: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Stems of the question found on each of the best few pages."""
    filed: frozenset[str] = frozenset()
    """Stems of the question that only the records of frontmatter have."""
    relaxations: tuple[str, ...] = ()
    """Hard filters that were given up because they left nothing, as printable phrases."""
    features: Mapping[str, float] = field(default_factory=dict)
    """What the gate decides by, see `execute_features`."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds by step: read, search, rerank, rows."""


def execute(
    plan: RetrievalPlan,
    route: RouteResult,
    reader: Reader,
    embedder: Embedder,
    encoder: Encoder | None,
    *,
    remember: Remember | None = None,
) -> Execution:
    """Ranks the documents of a session for a question, by the same rules for any route.

    encoder: None leaves out re-ranking. embedder: one of dimension 0 leaves out vectors too.
    remember: where vectors of windows are kept for the next question.
    Raises ServiceError when a remote embedder fails, EmbedderMismatchError when it is not the
    index's.
    """
    clock = _Clock()
    file_lookup = route.subintent == FIND_FILES
    question = _read(route.normalized_query or route.user_query, reader, file_lookup)
    vector = _vector(question, reader, embedder, remember)
    clock.lap("read")
    named = seeds(plan, reader)
    if route.intent == GENERAL_QA and not route.target_terms:
        named = overviews(plan, reader) | named
    inside, given_up = _search(plan, reader, question, vector)
    inside = _with_named(inside, plan, reader, question, vector, named)
    found = _with_sections(inside, plan, reader, question, vector)
    clock.lap("search")
    reranked = _rerank(question, found, encoder, reader, remember)
    clock.lap("rerank")
    ranked = described(reader, _rank(found, plan, reader, named, reranked))
    rows = hand_on(plan, reader, ranked, inside, reranked)
    there = contained(reader, question, [d.path for d in ranked[:DESCRIBED]])
    clock.lap("rows")
    return Execution(
        question,
        rows,
        ranked,
        there,
        filed_under(reader, question),
        given_up,
        features(question, ranked, there, reranked, route.anchors, vectors=vector is not None),
        clock.laps,
    )


def _read(text: str, reader: Reader, file_lookup: bool) -> Question:
    knowledge = reader.knowledge
    question = weigh(text, read_terms(text, file_lookup=file_lookup), knowledge)
    return correct(question, lambda: reader.vocabulary(D1), knowledge.document_count())


def _vector(
    question: Question, reader: Reader, embedder: Embedder, remember: Remember | None
) -> Sequence[float] | None:
    """The question's vector; None when there are none to compare it with, or it has no words.

    A question that was asked before loads no model: its vector is in the cache.
    """
    if not embedder.dim or not reader.session.dim:
        return None
    text = question.text[:MAX_QUESTION]
    # Some embedders read a question otherwise than a document of the same words.
    key = text_key(f"question\0{text}")
    raw = reader.cached_vectors(embedder.fingerprint, [key]).get(key, b"")
    if len(raw) != 4 * embedder.dim:
        raw = embedder.query(text).astype("<f4").tobytes()
        # Zeros may only say that a service is away.
        if remember is not None and any(raw):
            remember(embedder.fingerprint, {key: raw})
    vector = floats(raw)
    return vector if any(vector) else None


def _search(
    plan: RetrievalPlan, reader: Reader, question: Question, vector: Sequence[float] | None
) -> tuple[Candidates, tuple[str, ...]]:
    """Candidates inside the plan's layers and filters, and the filters given up to have any."""
    found = Candidates({}, 0.0)
    for step in relaxations(hard_filter(plan, reader.session.docs_roots)):
        found = fusion.gather(reader, question, vector, plan.layers, step.where, CANDIDATES)
        if found.rows:
            return found, step.given_up
    return found, ()


def _with_named(
    found: Candidates,
    plan: RetrievalPlan,
    reader: Reader,
    question: Question,
    vector: Sequence[float] | None,
    named: Mapping[str, float],
) -> Candidates:
    """Candidates with those of the documents that the plan names, which may lie outside its
    filters."""
    if not named:
        return found
    where = RowFilter(paths=tuple(named))
    return found.joined(fusion.gather(reader, question, vector, plan.layers, where, CANDIDATES))


def _with_sections(
    found: Candidates,
    plan: RetrievalPlan,
    reader: Reader,
    question: Question,
    vector: Sequence[float] | None,
) -> Candidates:
    """Candidates with the sections of the best documents, when the plan asks for documents only.

    A catalogue row stands for its page; what the page says is in its sections. They help to rank
    the documents found and are never handed on.
    """
    if D0 in plan.layers or not found.rows:
        return found
    documents = fusion.documents(found)
    best = sorted(documents, key=lambda path: (-documents[path].score, path))[:READ_DOCUMENTS]
    where = RowFilter(paths=tuple(best))
    return found.joined(fusion.gather(reader, question, vector, (D0,), where, CANDIDATES))


def _rerank(
    question: Question,
    found: Candidates,
    encoder: Encoder | None,
    reader: Reader,
    remember: Remember | None,
) -> Reranked | None:
    """What is said of the best sections; of its summary where a document has none."""
    if encoder is None or not found.rows:
        return None
    pages = found.pages
    with_text = {r.path for r in found.rows.values() if r.layer == D0}
    texts = [
        (found.row_score(r, pages), r)
        for r in found.rows.values()
        if r.layer == D0 or (r.layer == D1 and r.path not in with_text)
    ]
    texts.sort(key=lambda item: (-item[0], item[1].path, item[1].row_id))
    rows = _rows_to_read(texts, pages, question, reader)
    chosen, foreign = choose(rows, pages, question, encoder, reader, remember)
    if not chosen:
        return None
    meaning = compare(question.text, chosen, encoder, reader, remember)
    return Reranked(meaning, word_by_word(chosen), foreign)


def _rows_to_read(
    texts: Sequence[tuple[float, RowSignals]],
    pages: Mapping[str, float],
    question: Question,
    reader: Reader,
) -> list[tuple[Row, float]]:
    """The best rows, then the best of those in another language that no word brought in.

    texts: best first, with their scores.
    """
    wordless = [t for t in texts[MAX_ROWS:] if not t[1].lexical and not pages.get(t[1].path)]
    competing = (*texts[:MAX_ROWS], *wordless[:MAX_FOREIGN_ROWS])
    best = {signals.row_id: score for score, signals in competing}
    first = {signals.row_id for _, signals in texts[:MAX_ROWS]}
    return [
        (row, best[row.row_id])
        for row in reader.rows(list(best))
        if row.row_id in first or is_foreign(row.lang, question)
    ]


def _rank(
    found: Candidates,
    plan: RetrievalPlan,
    reader: Reader,
    named: Mapping[str, float],
    reranked: Reranked | None,
) -> tuple[RankedDocument, ...]:
    roots = reader.session.docs_roots
    documents = {path: DocumentSignals() for path in named} | fusion.documents(found)
    if reranked:
        documents = {path: reranked.lexical_of(path, s) for path, s in documents.items()}
    complete = {
        path: signals._replace(
            encoder=max(0.0, reranked.meaning.of_document(path)) if reranked else 0.0,
            nearness=reranked.words.of_document(path) if reranked else 0.0,
            bonus=bonus(path, plan, roots),
            seed=named.get(path, 0.0),
        )
        for path, signals in documents.items()
    }
    order = sorted(complete.items(), key=lambda item: (-item[1].score, item[0]))
    return tuple(RankedDocument(path, signals) for path, signals in order)


@dataclass(slots=True)
class _Clock:
    """Seconds since the lap before, by name."""

    started: float = field(default_factory=perf_counter)
    laps: dict[str, float] = field(default_factory=dict)

    def lap(self, name: str) -> None:
        now = perf_counter()
        self.laps[name] = now - self.started
        self.started = now
