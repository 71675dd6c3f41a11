"""Re-ranking: a few dozen sentence windows of the candidates are compared with the question, word
by word (`rerank_words`) and by the encoder.

Which windows the encoder reads matters more than how many. Measured on the FastAPI questions
(MRR@10) and XQuAD (R@1 of all four directions), 24 windows of the best 30 rows: chosen by the score
of their row and the words they share with the question .838 / .859; with the word by word figure in
the sum of a document .866 / .872; in the choice of the windows too .882 / .898; and with the mean
of a document's two windows in place of the better one .891 / .900. 20 windows do as well as 24 and
32, 16 lose .01.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import mul
from typing import Final, NamedTuple

from docs_agent.core.embed.protocol import Encoder, floats, text_key
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader
from docs_agent.retrieval.execute_terms import Question
from docs_agent.retrieval.fusion import DocumentSignals
from docs_agent.retrieval.rerank_windows import windows
from docs_agent.retrieval.rerank_words import told, words_of

MAX_ROWS: Final = 30
"""Best candidate rows whose windows compete."""
MAX_FOREIGN_ROWS: Final = 15
"""More rows in another language than the question, best by vector: next to documents in its own
language they have no words to be found by. Measured on XQuAD with half of the paragraphs in each
language (R@1 in the question's language / in the other): without .964 / .356, so .964 / .541."""
FOREIGN_WORDS: Final = 0.5
"""What a document in another language gets for words near the question's, against the words
themselves. More of it finds more of them and displaces pages in the question's own language."""
MAX_WINDOWS: Final = 20
"""Windows that are encoded."""
MAX_PER_DOCUMENT: Final = 2
MEAN_OF: Final = 2
"""Best windows of a document whose mean is its figure: one alike sentence may be chance."""
MAX_QUESTION: Final = 1000
"""Characters of the question that the encoder reads."""
SHARE_WEIGHT: Final = 0.5
"""Of the question's words in the window itself, against the score of its row."""
NEAR_WEIGHT: Final = 0.6
"""Of the question's words as `rerank_words` finds them in the window, against the same."""

Remember = Callable[[str, Mapping[str, bytes]], None]
"""Keeps vectors for the next question: `Store.cache_vectors`."""


class Window(NamedTuple):
    """One window of a candidate row."""

    row_id: int
    path: str
    text: str
    priority: float
    nearness: float = 0.0
    """Share of the question that it says word by word."""


class Similarity(NamedTuple):
    """What one judge of windows says."""

    rows: Mapping[int, float]
    """Best figure of each row that had a window judged."""
    documents: Mapping[str, float]
    floor: float
    """The lowest figure of a document: what is assumed of the rest."""

    def of_document(self, path: str) -> float:
        return self.documents.get(path, self.floor)

    def of_row(self, row_id: int) -> float:
        return self.rows.get(row_id, self.floor)


class Reranked(NamedTuple):
    """What the two judges say of the same windows."""

    meaning: Similarity
    """The encoder, by whole sentences."""
    words: Similarity
    """Word by word."""
    foreign: Mapping[str, float]
    """Documents in another language than the question, with the share of the question that their
    windows say together, word by word."""

    def lexical_of(self, path: str, signals: DocumentSignals) -> DocumentSignals:
        """The signals, in a foreign document with what words near the question's say in place of
        the words themselves: that it lacks them tells nothing against it."""
        if path not in self.foreign:
            return signals
        page = max(signals.page, FOREIGN_WORDS * self.foreign[path])
        row = max(signals.row, FOREIGN_WORDS * self.words.of_document(path))
        return signals._replace(page=page, row=row)


def choose(
    rows: Sequence[tuple[Row, float]],
    pages: Mapping[str, float],
    question: Question,
    encoder: Encoder,
    reader: Reader,
    remember: Remember | None,
) -> tuple[tuple[Window, ...], dict[str, float]]:
    """The windows most worth encoding, and `Reranked.foreign`.

    rows: best first, with their scores. pages: what words say of each page as a whole.
    """
    every = [(row, score, text) for row, score in rows for text in windows(row)]
    said = [words_of(text) for _, _, text in every]
    near = told(question, said, encoder, reader, remember)
    own: dict[str, list[int]] = {}
    for number, (row, _, _) in enumerate(every):
        if is_foreign(row.lang, question):
            own.setdefault(row.path, []).append(number)
    foreign = {path: near.of_texts(numbers) for path, numbers in own.items()}
    competing = []
    for number, (row, score, text) in enumerate(every):
        share = near.of_text(number)
        gain = FOREIGN_WORDS * foreign.get(row.path, 0.0) - pages.get(row.path, 0.0)
        priority = score + SHARE_WEIGHT * question.covered(set(said[number])) + NEAR_WEIGHT * share
        competing.append(Window(row.row_id, row.path, text, priority + max(0.0, gain), share))
    return _best_windows(competing), foreign


def is_foreign(language: str, question: Question) -> bool:
    """True for a text in another language than the question; False when either is not known."""
    return bool(language and question.language) and language != question.language


def _best_windows(competing: Sequence[Window]) -> tuple[Window, ...]:
    per_document: Counter[str] = Counter()
    chosen: list[Window] = []
    for window in sorted(competing, key=lambda w: -w.priority):
        if per_document[window.path] < MAX_PER_DOCUMENT:
            per_document[window.path] += 1
            chosen.append(window)
        if len(chosen) == MAX_WINDOWS:
            break
    return tuple(chosen)


def compare(
    question: str,
    chosen: Sequence[Window],
    encoder: Encoder,
    reader: Reader,
    remember: Remember | None,
) -> Similarity:
    """Cosine of the question to each window. What the cache has is not encoded again; the rest goes
    through the encoder in one call and is handed to `remember`."""
    texts = tuple(dict.fromkeys((question[:MAX_QUESTION], *(w.text for w in chosen))))
    keys = {text: text_key(text) for text in texts}
    cached = reader.cached_vectors(encoder.fingerprint, list(keys.values()))
    size = 4 * encoder.dim
    raw = {t: cached[keys[t]] for t in texts if len(cached.get(keys[t], b"")) == size}
    missing = [t for t in texts if t not in raw]
    if missing:
        fresh = zip(missing, encoder.encode(missing), strict=True)
        raw |= {text: vector.astype("<f4").tobytes() for text, vector in fresh}
        if remember is not None:
            remember(encoder.fingerprint, {keys[text]: raw[text] for text in missing})
    vectors = {text: floats(vector) for text, vector in raw.items()}
    asked = vectors[texts[0]]
    return _summed_up(chosen, [sum(map(mul, vectors[w.text], asked)) for w in chosen], MEAN_OF)


def word_by_word(chosen: Sequence[Window]) -> Similarity:
    """How much of the question each window says word by word."""
    return _summed_up(chosen, [window.nearness for window in chosen], 1)


def _summed_up(chosen: Sequence[Window], figures: Sequence[float], mean_of: int) -> Similarity:
    """Figures by row and by document; a document's is the mean of its best few."""
    rows: dict[int, float] = {}
    own: dict[str, list[float]] = {}
    for window, figure in zip(chosen, figures, strict=True):
        rows[window.row_id] = max(rows.get(window.row_id, -1.0), figure)
        own.setdefault(window.path, []).append(figure)
    documents = {
        path: sum(best) / len(best)
        for path, all_ in own.items()
        if (best := sorted(all_, reverse=True)[:mean_of])
    }
    return Similarity(rows, documents, min(documents.values(), default=0.0))
