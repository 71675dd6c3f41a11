"""A run of `docs-agent lint`, from its options to its report."""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docs_agent.cli.console import note, print_lines, print_text
from docs_agent.cli.lint_options import LintOptions, refuse_contradictions

if TYPE_CHECKING:
    from docs_agent.cli.project import Project
    from docs_agent.lint.baseline import Entry
    from docs_agent.lint.fix_all import FixedAll
    from docs_agent.lint.outcome import Report
    from docs_agent.lint.run import Checked, Linter, LintRequest


def run(options: LintOptions) -> Report:
    """Check, mend when asked, tell. Raises what `docs_agent.cli.errors` turns into words."""
    from docs_agent.cli.options import DEFAULT_SESSION
    from docs_agent.cli.project import open_project
    from docs_agent.lint.baseline import read_baseline, write_baseline
    from docs_agent.lint.fix_all import fix_all
    from docs_agent.lint.run import Linter

    refuse_contradictions(options)
    # A short run makes millions of small values and hardly any garbage to look for.
    gc.disable()
    project = open_project(options.root, None, DEFAULT_SESSION)
    known = read_baseline(options.baseline) if options.baseline else ()
    linter = Linter(_request(options, project))
    fixed: FixedAll | None = None
    if options.fix or options.diff:
        fixed = fix_all(linter, unsafe=options.unsafe)
    checked = fixed.left if fixed and options.fix else linter.check()
    for warning in checked.warnings:
        note(f"note: {warning.path}: {warning.message}")
    if options.diff and fixed:
        _show_diff(project.root, fixed)
    elif options.fix and fixed:
        _write(project.root, fixed)
    linter.save()
    if options.write_baseline:
        write_baseline(options.write_baseline, checked.findings)
        count = len(checked.findings)
        note(f"{options.write_baseline}: {count} finding{'s' * (count != 1)} written")
    report = _report(linter, checked, known, fixed if options.fix else None)
    if not options.diff:
        _tell(report, options, project)
    return report


def fails(report: Report, least: str) -> bool:
    """Whether there is a finding of that severity or a worse one."""
    return bool(report.summary.errors or (least == "warning" and report.summary.warnings))


def _request(options: LintOptions, project: Project) -> LintRequest:
    from docs_agent.core.git import changed_since, staged_files
    from docs_agent.core.project import STATE_DIR, keep_out_of_git
    from docs_agent.lint.cache import CACHE_NAME
    from docs_agent.lint.run import LintRequest
    from docs_agent.lint.selection import Choice

    only: frozenset[str] | None = None
    if options.changed_since is not None:
        only = frozenset(changed_since(project.root, options.changed_since).upserts)
    elif options.staged:
        only = frozenset(staged_files(project.root))
    cache = project.root / STATE_DIR / CACHE_NAME if options.cache else None
    if cache:
        keep_out_of_git(cache)
    return LintRequest(
        root=project.root,
        config=project.config,
        paths=tuple(_from_here(path, project.root) for path in options.paths),
        choice=Choice(options.select, options.extend_select, options.ignore),
        only=only,
        cache=cache,
    )


def _from_here(path: Path, root: Path) -> str:
    """The path a person means: from the current folder, else from the project root."""
    here = os.path.abspath(path)
    return here if os.path.lexists(here) else os.path.join(root, path)


def _show_diff(root: Path, fixed: FixedAll) -> None:
    """The changes as a patch; for a terminal with what would command it made visible."""
    import sys

    from docs_agent.lint.diff import diff, visible_diff

    for path, after in sorted(fixed.changed.items()):
        patch = diff(path, (root / path).read_bytes(), after)
        if sys.stdout.isatty():
            print_text("".join(f"{line}\n" for line in visible_diff(patch)))
        else:
            print_text(patch.decode("utf-8", "surrogateescape"))


def _write(root: Path, fixed: FixedAll) -> None:
    from docs_agent.core.files import replace_file

    for path, data in fixed.changed.items():
        replace_file(root / path, data, root)


def _report(
    linter: Linter, checked: Checked, known: Sequence[Entry], fixed: FixedAll | None
) -> Report:
    from docs_agent import __version__
    from docs_agent.lint.baseline import apply
    from docs_agent.lint.outcome import Report, RuleInfo, summarise
    from docs_agent.lint.registry import RULES, explanation

    overlay: Mapping[str, bytes] = fixed.changed if fixed else {}
    applied = apply(checked.findings, known, checked.files)
    return Report(
        applied.new,
        tuple(RuleInfo(r.code, r.name, r.summary, r.severity, explanation(r)) for r in RULES),
        summarise(
            applied.new,
            files=len(checked.files),
            suppressed=checked.suppressed,
            baseline=applied.hidden,
            stale=len(applied.stale),
            fixed=len(fixed.made) if fixed else 0,
        ),
        __version__,
        lambda path: linter.lines_of(path, overlay),
    )


def _tell(report: Report, options: LintOptions, project: Project) -> None:
    from docs_agent.cli.render.lint import lint_lines
    from docs_agent.core.files import replace_file
    from docs_agent.lint.report import render

    if options.output:
        shown = _below(report, project, options.form)
        replace_file(options.output, render(options.form, shown).encode())
    elif options.form == "text":
        print_lines(lint_lines(_below(report, project, "text")))
    else:
        print_text(render(options.form, _below(report, project, options.form)))


def _below(report: Report, project: Project, form: str) -> Report:
    """The report with paths as its reader looks for them: people from the current folder, the
    services of a repository from its top."""
    from docs_agent.core.git import repository_top
    from docs_agent.lint.outcome import with_paths

    if form in ("json", "junit"):
        return report
    start = Path.cwd() if form == "text" else repository_top(project.root) or project.root
    prefix = os.path.relpath(project.root, start)
    if prefix == ".":
        return report
    return with_paths(report, f"{Path(prefix).as_posix()}/")
