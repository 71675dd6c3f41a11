"""Entry point: the commands in the order of `--help`, errors turned into exit statuses."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from docs_agent.cli.commands.ask import ask
from docs_agent.cli.commands.doctor import doctor
from docs_agent.cli.commands.find_files import find_files
from docs_agent.cli.commands.index import index
from docs_agent.cli.commands.plan import plan
from docs_agent.cli.commands.related import related
from docs_agent.cli.commands.route import route
from docs_agent.cli.commands.show import show
from docs_agent.cli.commands.status import status
from docs_agent.cli.console import use_utf8
from docs_agent.cli.errors import report

COMMANDS = (
    ("index", index),
    ("ask", ask),
    ("find-files", find_files),
    ("route", route),
    ("plan", plan),
    ("show", show),
    ("related", related),
    ("status", status),
    ("doctor", doctor),
)


class Group(TyperGroup):
    """Runs a command and lets no error leave as a traceback."""

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
            raise typer.Exit(report(error, debug=bool(ctx.params.get("debug")))) from None


def _is_usage_error(error: BaseException) -> bool:
    """Usage errors of the option parser carry their own words and status 2."""
    return hasattr(error, "format_message") and hasattr(error, "exit_code")


def _version(value: bool) -> None:
    if value:
        from docs_agent import __version__

        typer.echo(f"docs-agent {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Group,
    name="docs-agent",
    help="Index Markdown documentation and ask it questions, offline, with citations.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Index Markdown documentation and ask it questions, offline, with citations."""


for _name, _command in COMMANDS:
    app.command(_name)(_command)


def run() -> int:
    """Runs the command line on the process's arguments and returns the exit status."""
    use_utf8()
    try:
        app()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0
