"""What `docs-agent lint` was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LintOptions:
    """The options of a run; those that only tell about rules are not among them."""

    paths: tuple[Path, ...]
    root: Path | None
    select: tuple[str, ...]
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    fix: bool
    unsafe: bool
    diff: bool
    changed_since: str | None
    staged: bool
    baseline: Path | None
    write_baseline: Path | None
    form: str
    output: Path | None
    cache: bool


def split_codes(values: list[str] | None) -> tuple[str, ...]:
    """`DOC1,DOC301 DOC4` as codes, upper case."""
    words = " ".join(values or ()).replace(",", " ").split()
    return tuple(word.upper() for word in words)


def refuse_contradictions(options: LintOptions) -> None:
    """Raise UsageError for options that exclude each other."""
    from docs_agent.core.errors import UsageError

    pairs = (
        ("--fix", options.fix, "--diff", options.diff),
        ("--changed-since", options.changed_since is not None, "--staged", options.staged),
        ("--diff", options.diff, "--format", options.form != "text"),
        ("--write-baseline", options.write_baseline is not None, "--fix", options.fix),
    )
    for one, has_one, other, has_other in pairs:
        if has_one and has_other:
            raise UsageError(f"{one} and {other} exclude each other", remedy="give one of them")
    if options.unsafe and not (options.fix or options.diff):
        raise UsageError(
            "--unsafe-fixes says which fixes, not that they are to be made",
            remedy="add --fix, or --diff to see them first",
        )
