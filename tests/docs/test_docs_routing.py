"""The pages on routing and known names against the catalogue and the kinds of names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import get_args

import pytest
from docs_pages import table

from docs_agent.core.knowledge import NoKnowledge
from docs_agent.core.records import NameKind
from docs_agent.core.router_config import RouterConfig
from docs_agent.router.catalogue import ROUTES
from docs_agent.router.integration_terms import direction_of
from docs_agent.router.route import route

ROUTING = "logic/routing.md"


def test_the_routing_page_has_every_route_as_the_catalogue_has_it() -> None:
    written = [tuple(row.values()) for row in table(ROUTING, "Routes")]
    assert written == [
        (r.routing_domain, r.intent, r.subintent, r.needs, r.meaning) for r in ROUTES
    ]


class _EveryWord(NoKnowledge):
    """An index of ten documents that has every word and no name."""

    def document_count(self) -> int:
        return 10

    def document_frequency(self, stems: Collection[str]) -> Mapping[str, int]:
        return dict.fromkeys(stems, 1)


@pytest.mark.parametrize("row", table(ROUTING, "Near neighbours"), ids=lambda row: row["question"])
def test_near_neighbours_go_where_the_page_says(row: dict[str, str]) -> None:
    result = route(row["question"], _EveryWord(), RouterConfig())
    assert row["route"] in (result.subintent, f"{result.intent} {result.subintent}")


def test_the_known_name_page_has_every_kind() -> None:
    written = [row["kind"].strip("`") for row in table("domains/known-name.md", "Kinds")]
    assert sorted(written) == sorted(get_args(NameKind))


def test_the_directions_of_the_page_are_understood() -> None:
    for row in table(ROUTING, "Direction and kind of integrations")[:2]:
        assert {direction_of(value) for value in row["stated"].split(", ")} == {row["asked"]}
