"""`docs-agent route`: print the router's decision."""

from __future__ import annotations

from docs_agent.cli.options import DEFAULT_SESSION, AsJson, Db, Question, Root, Session, question_of


def route(
    question: Question,
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    as_json: AsJson = False,
) -> None:
    """Print where a question goes and why."""
    from docs_agent.cli.console import print_json, print_lines
    from docs_agent.cli.project import knowing, open_project
    from docs_agent.cli.render.decision import route_json, route_lines
    from docs_agent.router.route import route as decide

    asked = question_of(question)
    project = open_project(root, db, session, reading=True)
    with knowing(project) as (knowledge, _):
        result = decide(asked, knowledge, project.config.router)
    if as_json:
        print_json(route_json(result))
    else:
        print_lines(route_lines(result))
