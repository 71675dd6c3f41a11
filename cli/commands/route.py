"""`docs-agent route`: print the router's decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_agent.cli.options import (
    DEFAULT_SESSION,
    AsJson,
    Db,
    Explain,
    Question,
    Root,
    Session,
    UseLlm,
    question_of,
    tell_left_out,
)

if TYPE_CHECKING:
    from docs_agent.core.routes import RouteResult
    from docs_agent.router.explain import Explanation


def route(
    question: Question,
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    llm: UseLlm = None,
    explain: Explain = False,
    as_json: AsJson = False,
) -> None:
    """Print where a question goes and why."""
    from docs_agent.cli.language_model import TellOnce, language_model
    from docs_agent.cli.project import knowing, open_project

    asked = question_of(question)
    project = open_project(root, db, session, reading=True)
    model = language_model(project, llm)
    with knowing(project) as (knowledge, _):
        if explain:
            from docs_agent.router.explain import route_explained

            given = (asked, knowledge, project.config.router, model, TellOnce())
            _print(*route_explained(*given), as_json=as_json)
        else:
            from docs_agent.router.route import route as decide

            result = decide(asked, knowledge, project.config.router, model, TellOnce())
            _print(result, None, as_json=as_json)


def _print(result: RouteResult, explanation: Explanation | None, *, as_json: bool) -> None:
    tell_left_out(result.left_out)
    from docs_agent.cli.console import print_json, print_lines
    from docs_agent.cli.render.decision import route_json, route_lines

    if explanation is None:
        if as_json:
            print_json(route_json(result))
        else:
            print_lines(route_lines(result))
        return
    from docs_agent.cli.render.explanation import explanation_json, explanation_lines

    if as_json:
        print_json({**route_json(result), "explain": explanation_json(explanation)})
    else:
        print_lines([*route_lines(result), *explanation_lines(explanation)])
