"""`docs-agent plan`: print the retrieval plan."""

from __future__ import annotations

from docs_agent.cli.options import (
    DEFAULT_SESSION,
    AsJson,
    Db,
    Question,
    Root,
    Session,
    UseLlm,
    question_of,
    tell_left_out,
)


def plan(
    question: Question,
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    llm: UseLlm = None,
    as_json: AsJson = False,
) -> None:
    """Print what would be searched for a question."""
    from docs_agent.cli.console import print_json, print_lines
    from docs_agent.cli.language_model import TellOnce, language_model
    from docs_agent.cli.project import knowing, open_project
    from docs_agent.cli.render.decision import plan_json, plan_lines, route_json
    from docs_agent.retrieval.policy import resolve
    from docs_agent.router.route import route as decide

    asked = question_of(question)
    project = open_project(root, db, session, reading=True)
    model = language_model(project, llm)
    with knowing(project) as (knowledge, docs_roots):
        result = decide(asked, knowledge, project.config.router, model, TellOnce())
    tell_left_out(result.left_out)
    resolved = resolve(result)
    if as_json:
        print_json({"route": route_json(result), "plan": plan_json(resolved)})
    else:
        print_lines(plan_lines(result, resolved, docs_roots))
