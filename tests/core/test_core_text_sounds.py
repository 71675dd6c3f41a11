"""Names by ear: the same key in both alphabets, other keys for other names."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.text import sound_keys


@pytest.mark.parametrize(
    ("latin", "cyrillic"),
    [
        ("billing", "биллинг"),
        ("billing", "биллинга"),
        ("billing", "биллингом"),
        ("healthcheck", "хелсчек"),
        ("health check", "хелсчеком"),
        ("health", "хелс"),
        ("notification", "нотификация"),
        ("notification", "нотификации"),
        ("notification", "нотификейшн"),
        ("retry", "ретрай"),
        ("timeout", "таймаут"),
        ("webhook", "вебхук"),
        ("message", "месседж"),
        ("runtime", "рантайм"),
        ("backup", "бэкап"),
        ("update", "апдейт"),
        ("service", "сервис"),
        ("dashboard", "дашборд"),
        ("checkout", "чекаут"),
        ("shipping", "шиппинг"),
        ("thread", "тред"),
    ],
)
def test_a_name_is_heard_alike_in_both_alphabets(latin: str, cyrillic: str) -> None:
    assert set(sound_keys(latin)) & set(sound_keys(cyrillic))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("retry", "роутер"),
        ("router", "ретрай"),
        ("billing", "билет"),
        ("delivery", "доставка"),
        ("health", "халат"),
        ("notification", "мотивация"),
        ("message", "массив"),
        ("webhook", "вебинар"),
    ],
)
def test_other_names_sound_otherwise(one: str, other: str) -> None:
    assert not set(sound_keys(one)) & set(sound_keys(other))


def test_joined_and_separate_words_sound_alike() -> None:
    assert sound_keys("healthcheck") == sound_keys("health check") == sound_keys("HealthCheck")


@pytest.mark.parametrize(
    "name", ["", "id", "юзер", "v2", "four words are long", "naïve 日本語", "a_1"]
)
def test_short_long_and_odd_names_have_no_sound(name: str) -> None:
    assert sound_keys(name) == ()


@given(st.text(max_size=80))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_any_text_has_few_keys_of_few_letters(text: str) -> None:
    keys = sound_keys(text)
    assert len(keys) <= 2
    assert len(set(keys)) == len(keys)
    assert all(key.replace("*", "").isalpha() for key in keys)


def test_a_very_long_name_costs_nothing() -> None:
    started = time.process_time()
    for text in ("ab" * 50_000, "tion" * 20_000, "щ" * 50_000, "a b c " * 10_000):
        sound_keys(text)
    assert time.process_time() - started < 1
