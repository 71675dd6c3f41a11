"""Nouns that end like verbs have one stem in all their cases."""

from __future__ import annotations

import pytest

from docs_agent.core.text import name_key


@pytest.mark.parametrize(
    "forms",
    [
        "запись записи записей записью",
        "подпись подписи",
        "отмена отмены отмену отменой отменить",
        "замена замены замену",
        "домен домена домены доменов доменом",
    ],
)
def test_forms_of_a_noun_share_a_stem(forms: str) -> None:
    assert len({name_key(form) for form in forms.split()}) == 1
