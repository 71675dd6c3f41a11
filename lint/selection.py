"""Which rules are on for a file, and how their findings are weighed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from docs_agent.core.errors import ConfigError, UsageError
from docs_agent.core.lint_config import LintConfig, LintOverride
from docs_agent.indexers.discover_ignore import Rules, configured_rules
from docs_agent.lint.rule import Rule


@dataclass(frozen=True, slots=True)
class Choice:
    """What the command line asks for; it counts before the configuration."""

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


class Selection:
    """Answers for every path which rules are on."""

    def __init__(self, rules: Sequence[Rule], config: LintConfig, choice: Choice) -> None:
        """Raises UsageError or ConfigError for a code that no rule has."""
        self._rules = rules
        self._config = config
        self._choice = choice
        self._overrides = tuple(
            (configured_rules("lint.overrides.files", one.files), one) for one in config.overrides
        )
        self._known: dict[tuple[int, ...], Mapping[str, str]] = {}
        check_codes(choice.select + choice.extend_select + choice.ignore, rules, UsageError)
        check_codes(_named(config), rules, ConfigError)

    def overrides(self, path: str) -> tuple[LintOverride, ...]:
        """The overrides that count for a path, in the order of the configuration."""
        return tuple(one for rules, one in self._overrides if _matches(rules, path))

    def severities(self, path: str) -> Mapping[str, str]:
        """Severity by code of the rules that are on for a path."""
        key = tuple(n for n, (rules, _) in enumerate(self._overrides) if _matches(rules, path))
        if key not in self._known:
            self._known[key] = self._severities([self._overrides[n][1] for n in key])
        return self._known[key]

    def _severities(self, overrides: Sequence[LintOverride]) -> Mapping[str, str]:
        select = self._choice.select or self._config.select
        extend = (*self._config.extend_select, *self._choice.extend_select)
        ignore = (*self._config.ignore, *self._choice.ignore)
        found: dict[str, str] = {}
        for rule in self._rules:
            # The longer of two codes knows better: `--ignore DOC3 --extend-select DOC301`.
            on, off = _longest(rule.code, (*select, *extend)), _longest(rule.code, ignore)
            is_on = on > off or (rule.default and not select and not off)
            for override in overrides:
                more, less = (
                    _longest(rule.code, override.select),
                    _longest(rule.code, override.ignore),
                )
                is_on = more > less if more or less else is_on
            if is_on:
                found[rule.code] = self._severity(rule, overrides)
        return found

    def _severity(self, rule: Rule, overrides: Sequence[LintOverride]) -> str:
        severity = rule.severity
        for table in (self._config.severity, *(one.severity for one in overrides)):
            best = max((p for p in table if rule.code.startswith(p)), key=len, default="")
            severity = table[best] if best else severity
        return severity


def check_codes(codes: Iterable[str], rules: Sequence[Rule], error: type[UsageError]) -> None:
    """Raise `error` for a code that no rule begins with."""
    known = [rule.code for rule in rules]
    for code in codes:
        if not code or not any(rule.startswith(code) for rule in known):
            near = get_close_matches(code.upper(), known, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise error(
                f"no rule has the code `{code[:40]}`",
                remedy=f"{hint}docs-agent lint --rules lists them",
            )


def _named(config: LintConfig) -> list[str]:
    codes = [*config.select, *config.extend_select, *config.ignore, *config.severity]
    for one in config.overrides:
        codes += [*one.select, *one.ignore, *one.severity]
    return codes


def _matches(rules: Rules | None, path: str) -> bool:
    return rules is not None and rules.names(path, is_folder=False)


def _longest(code: str, beginnings: Sequence[str]) -> int:
    return max((len(one) for one in beginnings if code.startswith(one)), default=0)
