"""The embedder of a service, against a real server on loopback."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from embed_conformance import EmbedderConformance
from embedding_server import DIM, STATIC, embed, texts, vectors
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_server import LLMServer, Reply, Request, failure, html, llm_server, token, unused_port

from docs_agent.core.embed.http import MAX_BYTES, HttpEmbedder
from docs_agent.core.embed.http_reply import read_vectors
from docs_agent.core.embed.protocol import Metered
from docs_agent.core.embed.service import embedding_service
from docs_agent.core.embedder_config import EmbedderConfig
from docs_agent.core.errors import ConfigError, ServiceError

KEY = "sk-embedder-0123456789"
PROMPT = "an unmistakable sentence about the delivery of letters"


def embedder(server: LLMServer, built: str = "", **fields: Any) -> HttpEmbedder:
    """One that asks the server, and waits for little."""
    limits = {"timeout": 3.0, "question_timeout": 1.0, "connect_timeout": 1.0, "retries": 2}
    config = EmbedderConfig(
        kind="http", base_url=server.url, model="m", **{**limits, "dimensions": DIM, **fields}
    )
    return HttpEmbedder(embedding_service(config, {"DOCS_AGENT_EMBEDDER_API_KEY": KEY}), built)


class TestHttpEmbedder(EmbedderConformance):
    @pytest.fixture(autouse=True)
    def _served(self) -> Iterator[None]:
        with llm_server(embed) as server:
            self.embedder = embedder(server)
            yield


def test_vectors_come_in_the_order_of_the_texts_at_unit_length() -> None:
    some = ["очередь сообщений", "retry timeout", "the storage is full"]
    with llm_server(embed) as server:
        found = embedder(server).documents(some)
    assert found == pytest.approx(STATIC.documents(some), abs=1e-6)


def test_a_request_has_so_many_texts_and_characters_at_most() -> None:
    some = [f"text number {n}" for n in range(7)] + ["long " * 300, "short"]
    with llm_server(embed) as server:
        embedder(server, batch=3, batch_chars=1000).documents(some)
        sizes = [len(request.json()["input"]) for request in server.requests]
        assert texts(server.requests) == some
    assert sizes == [3, 3, 1, 1, 1]


def test_texts_without_words_and_texts_that_came_before_are_not_sent() -> None:
    with llm_server(embed) as server:
        found = embedder(server).documents(["same", "", " \n", "…", "same"])
        assert texts(server.requests) == ["same"]
    assert [bool(row.any()) for row in found] == [True, False, False, False, True]


def test_prefixes_and_the_length_that_is_read_are_sent_and_named_by_the_fingerprint() -> None:
    with llm_server(embed) as server:
        own = embedder(server, document_prefix="passage: ", query_prefix="query: ", text_chars=100)
        own.documents(["слово " * 100])
        own.query("слово")
        assert texts(server.requests) == ["passage: " + ("слово " * 100)[:100], "query: слово"]
        usual, other = embedder(server), embedder(server, query_prefix="q: ")
    assert len({own.fingerprint, usual.fingerprint, other.fingerprint}) == 3
    assert usual.fingerprint == f"http:m@{DIM}"


def test_the_dimensions_are_those_of_the_index_or_asked_for_once() -> None:
    with llm_server(embed) as server:
        known = embedder(server, f"http:m@{DIM}", dimensions=0)
        assert (known.fingerprint, known.dim, server.requests) == (f"http:m@{DIM}", DIM, [])
        foreign = embedder(server, "http:another@7", dimensions=0)
        assert (foreign.fingerprint, foreign.dim) == (f"http:m@{DIM}", DIM)
        assert len(server.requests) == 1


def test_dimensions_are_asked_for_until_the_service_refuses_to_hear_of_them() -> None:
    def picky(request: Request) -> Reply:
        if "dimensions" in request.json():
            return failure(400, "Model m does not support matryoshka dimensions")
        return embed(request)

    with llm_server(picky) as server:
        own = embedder(server, batch=1)
        own.documents(["one", "two"])
        asked = ["dimensions" in request.json() for request in server.requests]
    assert asked == [True, False, False]


def test_a_batch_that_is_too_large_is_halved_and_stays_so() -> None:
    def small(request: Request) -> Reply:
        return embed(request) if len(request.json()["input"]) < 3 else failure(413, "too large")

    with llm_server(small) as server:
        own = embedder(server, batch=4)
        assert own.documents(["a", "b", "c", "d"]).any(axis=1).all()
        before = len(server.requests)
        own.documents(["e", "f", "g", "h"])
        assert (before, len(server.requests)) == (3, 5)


def test_a_busy_service_is_asked_again_when_it_says() -> None:
    busy = failure(429, "slow down", headers=(("Retry-After", "1"),))
    with llm_server(busy, embed) as server:
        own = embedder(server)
        started = time.monotonic()
        assert own.documents(["text"]).any()
        assert 1.0 <= time.monotonic() - started < 2.5
    assert (own.spent.requests, own.spent.texts, own.spent.tokens) == (2, 1, 5)


def test_a_wait_that_is_longer_than_the_limit_is_not_begun() -> None:
    with llm_server(failure(429, "slow down", headers=(("Retry-After", "3600"),))) as server:
        started = time.monotonic()
        with pytest.raises(ServiceError) as caught:
            embedder(server).documents(["text"])
    assert time.monotonic() - started < 1
    assert caught.value.status == 429


def test_a_service_that_does_not_recover_is_given_up() -> None:
    with llm_server(failure(500, "out of memory")) as server:
        with pytest.raises(ServiceError, match=r"answered 500: out of memory"):
            embedder(server).documents(["text"])
        assert len(server.requests) == 3


def test_a_cut_connection_is_tried_again() -> None:
    with llm_server(Reply(drop_after=-1), vectors([[1.0] * DIM], drop_after=20), embed) as server:
        assert embedder(server).documents(["text"]).any()


def test_a_slow_service_costs_a_question_its_own_limit_only() -> None:
    with llm_server(Reply(delay=30)) as server:
        started = time.monotonic()
        with pytest.raises(ServiceError) as caught:
            embedder(server, question_timeout=0.5).query("question")
    assert time.monotonic() - started < 1.5
    assert "embedder.question_timeout" in caught.value.remedy


def test_a_service_that_is_away_is_told_with_its_address() -> None:
    config = EmbedderConfig(
        base_url=f"http://127.0.0.1:{unused_port()}/v1", model="m", dimensions=3, retries=0
    )
    with pytest.raises(ServiceError, match="could not be reached") as caught:
        HttpEmbedder(embedding_service(config, {})).documents(["text"])
    assert "embedder.connect_timeout" in caught.value.remedy


ROW = [0.5] * DIM
WRONG: dict[str, tuple[Reply, str]] = {
    "other dimensions": (vectors([[1.0, 2.0]]), "2 dimensions, not 192"),
    "too few": (vectors([]), "0 vectors came for 1 text"),
    "too many": (vectors([ROW, ROW]), "2 vectors came for 1 text"),
    "not JSON": (Reply(body=b"oops"), "not JSON"),
    "a page": (html(), "not JSON"),
    "deep": (Reply(body=b"[" * 200_000), "not JSON"),
    "no list": (Reply(body=b'{"data": {"embedding": [1]}}'), "no list of vectors"),
    "a list": (Reply(body=b"[]"), "no list of vectors"),
    "no vector": (vectors([None]), "a vector is missing"),
    "base64": (vectors(["AACAPwAAgD8="]), "not a list of numbers"),
    "nothing in it": (vectors([[]]), "a vector is missing"),
    "NaN": (vectors([[float("nan")] * DIM]), "not JSON"),
    "infinite": (
        Reply(body=json.dumps({"data": [{"embedding": [7] * DIM}]}).replace("7", "1e999").encode()),
        "without end",
    ),
    "a huge integer": (vectors([[10**400] * DIM]), "without end"),
    "texts": (vectors([["0.5"] * DIM]), "not a number"),
    "true": (vectors([[True] * DIM]), "not a number"),
    "a list inside": (vectors([[[0.5]] * DIM]), "not a number"),
    "another number": (
        Reply(body=json.dumps({"data": [{"index": 4, "embedding": ROW}]}).encode()),
        "not numbered",
    ),
    "compressed": (
        Reply(body=b"x", headers=(("Content-Encoding", "gzip"),)),
        "compressed reply although none was asked for",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "said"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_reply_is_refused_with_a_remedy(reply: Reply, said: str) -> None:
    with llm_server(reply) as server, pytest.raises(ServiceError) as caught:
        embedder(server).documents([PROMPT])
    assert said in caught.value.message
    assert "embedder" in caught.value.remedy


@pytest.mark.parametrize("numbers", [[0, 0], [0, 2], [0, None], [False, True], [1.0, 0.0]], ids=str)
def test_vectors_with_doubtful_numbers_are_refused(numbers: list[Any]) -> None:
    data = [{"index": number, "embedding": ROW} for number in numbers]
    with pytest.raises(ServiceError, match="not numbered"):
        read_vectors(json.dumps({"data": data}).encode(), 2, 0, "s")


def test_vectors_of_two_lengths_are_refused() -> None:
    data = [{"index": n, "embedding": [1.0] * (2 + n)} for n in range(2)]
    with pytest.raises(ServiceError, match="vectors of 2 and of 3 numbers"):
        read_vectors(json.dumps({"data": data}).encode(), 2, 0, "s")


def test_vectors_without_numbers_are_taken_as_they_come() -> None:
    body = json.dumps({"data": [{"embedding": [1, 2]}, {"embedding": [3.5, 4]}]}).encode()
    found = read_vectors(body, 2, 2, "s")
    assert found.rows.tolist() == [[1, 2], [3.5, 4]]
    assert found.tokens == 0


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": -1}, {"prompt_tokens": "9"}])
def test_a_doubtful_count_of_tokens_is_none(usage: Any) -> None:
    body = json.dumps({"data": [{"embedding": [1]}], "usage": usage}).encode()
    assert read_vectors(body, 1, 1, "s").tokens == 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["data", "index", "embedding", "usage"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(json_values, st.integers(1, 3))
def test_any_reply_gives_vectors_or_a_service_error(value: Any, count: int) -> None:
    try:
        found = read_vectors(json.dumps({"data": value}).encode(), count, 0, "s")
    except ServiceError:
        return
    assert found.rows.shape[0] == count
    assert np.isfinite(found.rows).all()


@pytest.mark.parametrize("number", [1e300, 5e-324], ids=str)
def test_numbers_at_the_end_of_their_range_give_unit_vectors(number: float) -> None:
    with llm_server(vectors([[number, number]])) as server:
        found = embedder(server, dimensions=2).documents(["text"])
    assert np.linalg.norm(found[0]) == pytest.approx(1)


def test_a_huge_reply_is_not_read_to_its_end() -> None:
    chunk = b" " * (1 << 20)
    reply = Reply(chunks=(chunk,) * (MAX_BYTES // len(chunk) + 8))
    with llm_server(reply) as server, pytest.raises(ServiceError, match="larger than") as caught:
        embedder(server, timeout=30.0).documents(["text"])
    assert "a service of embeddings" in caught.value.remedy


def test_a_refused_key_and_the_texts_are_told_to_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def echo(request: Request) -> Reply:
        said = f"bad {request.headers['authorization']} for {request.json()['input']}"
        return failure(401, said)

    caplog.set_level(logging.DEBUG)
    with llm_server(echo) as server:
        own = embedder(server)
        with pytest.raises(ServiceError) as caught:
            own.documents([PROMPT])
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert len(server.requests) == 1
    error = caught.value
    assert "DOCS_AGENT_EMBEDDER_API_KEY" in error.remedy
    told = "\n".join((error.message, error.remedy, error.detail, repr(own), caplog.text))
    assert KEY not in told
    assert PROMPT not in told


@pytest.mark.parametrize(
    "part", [KEY[:12], KEY[-10:], KEY[4:14], f"{KEY[:9]}…{KEY[-8:]}", f"<{KEY[3:-3]}>"]
)
def test_a_part_of_the_key_is_told_to_nobody(part: str) -> None:
    refused = failure(401, f"Incorrect API key provided: {part}. Ask for another")
    with llm_server(refused) as server, pytest.raises(ServiceError) as caught:
        embedder(server).documents(["text"])
    told = f"{caught.value.message} {caught.value.remedy} {caught.value.detail}"
    assert not any(KEY[at : at + 8] in told for at in range(len(KEY) - 7))
    assert "Incorrect API key provided: " in told
    assert "Ask for another" in told


def test_dimensions_that_change_between_requests_are_refused() -> None:
    with llm_server(vectors([[1.0, 2.0]]), vectors([[1.0, 2.0, 3.0]])) as server:
        own = embedder(server, dimensions=0)
        own.documents(["one"])
        with pytest.raises(ServiceError, match="3 dimensions, not 2") as caught:
            own.documents(["two"])
    assert "dimensions = 3" in caught.value.remedy


@pytest.mark.parametrize("some", [["one"], ["one", "two"]])
def test_nothing_but_zeros_is_refused(some: list[str]) -> None:
    with llm_server(vectors([[0.0, 0.0]] * len(some))) as server:
        own = embedder(server, dimensions=2)
        with pytest.raises(ServiceError, match="nothing but zeros") as caught:
            own.documents(some)
    assert "embedder.model" in caught.value.remedy


def test_zeros_for_one_text_among_others_are_a_text_without_known_words() -> None:
    with llm_server(vectors([[1.0, 0.0], [0.0, 0.0]]), vectors([[0.0, 0.0]])) as server:
        own = embedder(server, dimensions=2)
        assert [bool(row.any()) for row in own.documents(["one", "zxqv"])] == [True, False]
        assert not own.query("zxqv").any()


def same_for_all(request: Request) -> Reply:
    return vectors([[1.0, 2.0]] * len(request.json()["input"]))


@pytest.mark.parametrize(("batch", "count", "warned"), [(8, 6, 1), (1, 9, 1), (8, 3, 0)])
def test_one_vector_for_all_texts_is_warned_of_once(
    batch: int, count: int, warned: int, caplog: pytest.LogCaptureFixture
) -> None:
    with llm_server(same_for_all) as server:
        own = embedder(server, dimensions=2, batch=batch)
        own.documents([f"text {number}" for number in range(count)])
    said = [record.getMessage() for record in caplog.records]
    assert ["every text the same vector" in text for text in said] == [True] * warned


def test_a_question_asked_often_is_no_sign_of_one_vector_for_all(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with llm_server(embed) as server:
        own = embedder(server)
        for _ in range(6):
            own.query("the same question")
        own.documents([f"text {number}" for number in range(6)])
    assert not caplog.records


def test_no_redirect_is_followed() -> None:
    with llm_server(Reply(status=307, headers=(("Location", "/elsewhere"),))) as server:
        with pytest.raises(ServiceError, match="sends on to another address") as caught:
            embedder(server).documents(["text"])
        assert len(server.requests) == 1
    assert "embedder.base_url" in caught.value.remedy


def test_what_was_sent_is_counted() -> None:
    with llm_server(embed) as server:
        own = embedder(server, batch=2)
        own.documents(["one", "two", "three"])
    assert isinstance(own, Metered)
    spent = own.spent
    assert (spent.texts, spent.characters, spent.requests, spent.tokens) == (3, 11, 2, 15)
    assert spent.seconds > 0


def service(environ: dict[str, str] | None = None, **fields: Any) -> Any:
    return embedding_service(EmbedderConfig(**{"model": "m", **fields}), environ or {})


def test_a_well_known_key_goes_to_its_own_address_only() -> None:
    known = {"OPENAI_API_KEY": "sk-0123456789"}
    assert service(known, base_url="https://api.openai.com/v1").key_source == "OPENAI_API_KEY"
    assert service(known, base_url="https://api.openai.com.evil.example/v1").key == ""
    assert service(known, base_url="https://api.openai.com:444/v1").key == ""
    assert service(known, base_url="https://api.openai.com/v1", verify=False).key == ""
    assert service({**known, "DOCS_AGENT_LLM_API_KEY": "k" * 9}, base_url="https://x.org").key == ""


def test_the_own_key_goes_to_the_address_that_is_configured() -> None:
    own = {"DOCS_AGENT_EMBEDDER_API_KEY": KEY}
    found = service(own, base_url="https://x.example/v1/")
    assert (found.key, found.key_source) == (KEY, "DOCS_AGENT_EMBEDDER_API_KEY")
    assert KEY not in repr(found)


@pytest.mark.parametrize(
    ("environ", "fields", "said"),
    [
        ({}, {"base_url": ""}, "no address"),
        ({}, {"base_url": "https://x.example", "model": ""}, "no model"),
        ({"DOCS_AGENT_EMBEDDER_API_KEY": KEY}, {"base_url": "http://x.example"}, "unencrypted"),
        ({"DOCS_AGENT_EMBEDDER_API_KEY": "a b"}, {"base_url": "https://x.example"}, "no key has"),
        ({"DOCS_AGENT_EMBEDDER_BASE_URL": "ftp://x"}, {}, "must begin with https://"),
        ({}, {"base_url": "https://x.example", "verify": "/nowhere.pem"}, "there is no file"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_incomplete_service_is_refused(
    environ: dict[str, str], fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        service(environ, **fields)
    assert said in caught.value.message
    assert caught.value.remedy
    assert KEY not in caught.value.message


@pytest.mark.parametrize("name", ["MODEL", "BASE_URL", "VERIFY"])
def test_a_variable_that_is_too_long_is_refused_and_not_repeated(name: str) -> None:
    variable = f"DOCS_AGENT_EMBEDDER_{name}"
    with pytest.raises(ConfigError) as caught:
        service({variable: "https://" + "m" * 100_000}, base_url="http://localhost:1", model="m")
    assert variable in caught.value.message
    assert len(caught.value.message) < 200


def test_a_key_may_be_long() -> None:
    key = "k" * 5000
    found = service({"DOCS_AGENT_EMBEDDER_API_KEY": key}, base_url="http://localhost:1", model="m")
    assert found.key == key


def test_variables_come_before_the_file() -> None:
    found = service(
        {
            "DOCS_AGENT_EMBEDDER_BASE_URL": "http://127.0.0.1:1/v1/",
            "DOCS_AGENT_EMBEDDER_MODEL": "other",
            "DOCS_AGENT_EMBEDDER_VERIFY": "false",
        },
        base_url="https://x.example",
    )
    assert (found.config.base_url, found.config.model) == ("http://127.0.0.1:1/v1", "other")
    assert found.config.verify is False


def test_naming_the_embedder_loads_no_client() -> None:
    code = (
        "import sys; from docs_agent.core.embed.registry import make_embedder as m;"
        "from docs_agent.core.embedder_config import EmbedderConfig as C;"
        "e = m('http', C(base_url='http://localhost:1', model='m', dimensions=3));"
        "e.fingerprint, e.dim; print(sorted({'numpy', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_key_is_exchanged_for_a_token_that_is_renewed_once_when_refused() -> None:
    given = iter(("first-token", "second-token"))

    def service(request: Request) -> Reply:
        if request.path == "/oauth":
            return token(next(given))
        if request.headers["authorization"] == "Bearer first-token":
            return failure(401, "the token first-token has ended")
        return embed(request)

    with llm_server(service) as server:
        own = embedder(server, auth_url=f"{server.url}/oauth")
        assert own.documents(["one"]).any()
        assert own.query("two").any()
        sent = [(r.path, r.headers["authorization"]) for r in server.requests]
    assert sent == [
        ("/oauth", f"Basic {KEY}"),
        ("/embeddings", "Bearer first-token"),
        ("/oauth", f"Basic {KEY}"),
        ("/embeddings", "Bearer second-token"),
        ("/embeddings", "Bearer second-token"),
    ]


def test_gigachat_is_known_by_its_address() -> None:
    known = {"GIGACHAT_TOKEN": "authorisation-key"}
    address = "https://gigachat.devices.sberbank.ru/api/v1"
    found = service(known, base_url=address)
    assert found.key_source == "GIGACHAT_TOKEN"
    assert found.config.auth_url.startswith("https://ngw.devices.sberbank.ru")
    assert found.config.scope == "GIGACHAT_API_PERS"
    for fields in ({"auth_url": "https://x.example/oauth"}, {"verify": False}):
        with pytest.raises(ConfigError, match="needs a key"):
            service(known, base_url=address, **fields)
