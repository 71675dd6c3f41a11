"""Entry point: the commands in the order of `--help`, errors turned into exit statuses."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

COMMANDS: Final = (
    ("index", "Build or refresh the index of a documentation folder."),
    ("ask", "Answer a question from the documentation, with citations."),
    ("find-files", "List the documents that a question is about, best first."),
    ("route", "Print where a question goes and why."),
    ("plan", "Print what would be searched for a question."),
    ("show", "Show what the index holds of one document."),
    ("related", "List the documents, code and other things a document is connected with."),
    ("lint", "Check documents: metadata, structure, links, relations, contracts, freshness."),
    ("status", "Show what is indexed and which files have changed since."),
    ("doctor", "Check that this machine and project can do the work."),
)
"""Every command with its line of help. The function `find_files` of `cli.commands.find_files` is
the command `find-files`, and the line is its docstring."""
_HELP: Final = "Index Markdown documentation and ask it questions, offline, with citations."
# Plain words: no Rich markup, no shell completion, no tracebacks of Typer's own.
_PLAIN: Final[dict[str, Any]] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
}


class Group(TyperGroup):
    """Loads and runs a command, and lets no error leave as a traceback."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and _loaded(str(name)), rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.Exit:
            raise
        except BrokenPipeError:
            raise  # the reader of our output went away, which is no error of ours
        except (Exception, KeyboardInterrupt) as error:
            if _is_usage_error(error):
                raise
            from docs_agent.cli.errors import report

            raise typer.Exit(report(error, debug=bool(ctx.params.get("debug")))) from None


def _is_usage_error(error: BaseException) -> bool:
    """Usage errors of the option parser carry their own words and status 2."""
    return hasattr(error, "format_message") and hasattr(error, "exit_code")


def _loaded(name: str) -> Any:
    """The command of that name with its options. Each run looks at the options of one only:
    reading them takes Typer longer than many a command takes."""
    function = name.replace("-", "_")
    module = import_module(f"docs_agent.cli.commands.{function}")
    alone = typer.Typer(**_PLAIN)
    alone.command(name)(getattr(module, function))
    return get_command(alone)


def _version(value: bool) -> None:
    if value:
        from docs_agent import __version__

        typer.echo(f"docs-agent {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Group,
    name="docs-agent",
    help=_HELP,
    no_args_is_help=True,
    **_PLAIN,
)


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """What all commands share."""


def _listed() -> None:
    """Stands in the list of commands for one that is loaded when it is run."""


for _name, _line in COMMANDS:
    app.command(_name, help=_line)(_listed)


def run() -> int:
    """Runs the command line on the process's arguments and returns the exit status."""
    from docs_agent.cli.console import use_utf8

    use_utf8()
    try:
        app()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0
