"""What each format says of the same findings."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from lint_samples import RULES, finding, report
from sarif_kit.validate import validation_errors

from docs_agent.core.errors import UsageError
from docs_agent.core.visible import INVISIBLE, UNSAFE
from docs_agent.lint import formats
from docs_agent.lint.formats import json as json_format
from docs_agent.lint.formats.github import SHOWN
from docs_agent.lint.formats.text import text_lines
from docs_agent.lint.outcome import Report
from docs_agent.lint.report import FORMATS, render

CASES = yaml.safe_load((Path(__file__).parent / "cases/reports.yml").read_text(encoding="utf-8"))
HOSTILE = "\x1b[31m\x00\x9b\u202e\u200b\u2060\ufeff\uffff\udcff & <b> \"'\n::error::x"
FULL: list[dict[str, Any]] = [
    {"at": "1:1", "message": "whole file", "fingerprint": "f1"},
    {
        "at": "2:1-2:9",
        "path": "docs/a b/ж.md",
        "fingerprint": "f2",
        "severity": "warning",
        "code": "DOC402",
        "name": "duplicate-id",
        "fix": {"edits": [{"at": "2:1-2:3", "text": "x"}, {"at": "2:8", "text": "y\n"}]},
        "related": [{"path": "docs/a.md", "at": "1:1-1:2", "message": "the first"}],
    },
    {
        "at": "1:1-1:2",
        "path": "docs/c.md",
        "fingerprint": "f3",
        "fix": {"safe": False, "edits": [{"at": "1:0-1:1", "text": ""}]},
    },
]


def of_case(case: dict[str, Any]) -> Report:
    return report(map(finding, case.get("findings", ())), case["files"], **case.get("counts", {}))


def full(**options: Any) -> Report:
    return report(map(finding, FULL), **options)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
@pytest.mark.parametrize("name", ["text", "github"])
def test_people_and_github_see(case: dict[str, Any], name: str) -> None:
    assert render(name, of_case(case)) == case[name]


def test_the_parts_of_a_line_say_what_they_are() -> None:
    first = next(iter(text_lines(of_case(CASES[2]))))
    assert [kind for _, kind in first if kind] == ["path", "error", "code", "fix"]


def test_each_format_has_a_file_of_its_own() -> None:
    files = {path.stem for path in Path(formats.__path__[0]).glob("[!_]*.py")}
    assert set(FORMATS) == files


def test_an_unknown_format_is_told_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        render("yaml", full())
    assert "sarif" in caught.value.remedy


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_text_reaches_no_terminal_and_breaks_no_format(name: str) -> None:
    facts = {"at": "1:1", "path": HOSTILE, "message": HOSTILE, "fingerprint": "f"}
    shown = render(name, report([finding(facts)]))
    assert not re.search(f"{UNSAFE}|{INVISIBLE}", shown)
    shown.encode("utf-8")
    if name == "junit":
        ElementTree.fromstring(shown)
    elif name not in ("text", "github"):
        json.loads(shown)
    assert not [line for line in shown.split("\n")[1:] if line.startswith("::error::x")]


@pytest.mark.parametrize("name", FORMATS)
def test_a_report_without_findings_is_well_formed(name: str) -> None:
    shown = render(name, report([]))
    assert shown == "" or shown.endswith("\n")


def test_json_has_the_keys_that_its_description_names() -> None:
    value = json.loads(render("json", full()))
    described = set(re.findall(r"\w+", json_format.__doc__ or ""))
    assert keys_of(value) - described == set()
    assert value["summary"] | {"files": 3, "errors": 2, "warnings": 1} == value["summary"]
    assert value["findings"][1]["fix"] is None or value["findings"][1]["fix"]["safe"]
    by_path = {item["path"]: item for item in value["findings"]}
    assert by_path["docs/c.md"]["fix"] == {
        "message": "mend it",
        "safe": False,
        "edits": [{"line": 1, "column": 0, "end_line": 1, "end_column": 1, "text": ""}],
    }


def keys_of(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for item in value.values() for key in keys_of(item)}
    if isinstance(value, list):
        return {key for item in value for key in keys_of(item)}
    return set()


@pytest.mark.parametrize("facts", [[], FULL, FULL[1:2]], ids=["none", "all", "one"])
def test_sarif_is_valid(facts: list[dict[str, Any]]) -> None:
    log = json.loads(render("sarif", report(map(finding, facts))))
    assert validation_errors(log) == []


def test_sarif_tells_rules_places_fixes_and_fingerprints() -> None:
    run = json.loads(render("sarif", full()))["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [rule.code for rule in RULES]
    by_uri = {uri(result["locations"][0]["physicalLocation"]): result for result in run["results"]}
    warning = by_uri["docs/a%20b/%D0%B6.md"]
    assert (warning["level"], warning["ruleIndex"]) == ("warning", 1)
    assert warning["partialFingerprints"] == {"docsLint/v1": "f2"}
    assert uri(warning["relatedLocations"][0]["physicalLocation"]) == "docs/a.md"
    change = warning["fixes"][0]["artifactChanges"][0]
    assert change["artifactLocation"]["uri"] == "docs/a%20b/%D0%B6.md"
    assert [item["insertedContent"]["text"] for item in change["replacements"]] == ["x", "y\n"]
    assert change["replacements"][0]["deletedRegion"] == {
        "startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 3,
    }  # fmt: skip


def test_sarif_counts_the_bytes_of_a_byte_order_mark() -> None:
    result = json.loads(render("sarif", report([finding(FULL[2])])))["runs"][0]["results"][0]
    (replacement,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement == {"deletedRegion": {"byteOffset": 0, "byteLength": 3}}
    assert result["fixes"][0]["properties"] == {"safe": False}


def uri(location: dict[str, Any]) -> str:
    return str(location["artifactLocation"]["uri"])


def test_github_gets_the_worst_ten_of_each_type_and_a_count() -> None:
    counts = {"warning": SHOWN + 1, "error": SHOWN + 3}
    found = [
        finding({"at": f"{line}:1", "severity": severity})
        for severity, number in counts.items()
        for line in range(1, number + 1)
    ]
    lines = render("github", report(found)).splitlines()
    assert [line.split(" ")[0] for line in lines] == [
        *["::error"] * SHOWN,
        *["::warning"] * SHOWN,
        "::notice",
    ]
    assert "::3 more errors and 1 more warning not shown here" in lines[-1]


def test_gitlab_issues_have_what_gitlab_asks_for() -> None:
    issues = json.loads(render("gitlab", full()))
    assert {issue["severity"] for issue in issues} <= {
        "info", "minor", "major", "critical", "blocker",
    }  # fmt: skip
    assert sorted(issue["fingerprint"] for issue in issues) == ["f1", "f2", "f3"]
    assert issues[1]["location"] == {"path": "docs/a.md", "lines": {"begin": 1, "end": 1}}
    assert all(isinstance(issue["description"], str) for issue in issues)


# From the schema of the xUnit plugin of Jenkins: attributes that must and may be there, children.
JUNIT = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": (
        {"name"},
        {"time", "classname", "group"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": (set(), {"type", "message"}, set()),
    "skipped": (set(), {"type", "message"}, set()),
}


@pytest.mark.parametrize("facts", [[], FULL], ids=["none", "all"])
def test_junit_has_the_structure_of_its_schema(facts: list[dict[str, Any]]) -> None:
    root = ElementTree.fromstring(render("junit", report(map(finding, facts))))
    assert root.tag == "testsuites"
    for element in root.iter():
        required, optional, children = JUNIT[element.tag]
        assert required <= set(element.attrib) <= required | optional
        assert {child.tag for child in element} <= children
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite.findall("testcase")) > 0
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("skipped", "")) == len(suite.findall("testcase/skipped"))
    assert int(root.get("tests", "")) == len(root.findall("*/testcase"))
    assert int(root.get("failures", "")) == len(root.findall("*/*/failure"))


def test_junit_errors_fail_and_warnings_are_skipped() -> None:
    root = ElementTree.fromstring(render("junit", full()))
    verdicts = {case.get("classname"): case[0].tag for case in root.iter("testcase")}
    assert verdicts == {
        "docs/a.md": "failure",
        "docs/a b/ж.md": "skipped",
        "docs/c.md": "failure",
    }


LINES = {"docs/a.md": ["# Я и 👍 тут", "ещё одна"]}


def lines_of(path: str) -> Sequence[str]:
    return LINES.get(path, ())


def test_rdjson_counts_bytes_where_the_lines_are_known() -> None:
    edits = [{"at": "1:3-1:4", "text": "ты"}, {"at": "2:1-2:4", "text": ""}]
    facts = {"at": "1:7-1:11", "fix": {"edits": edits}}
    value = json.loads(render("rdjson", report([finding(facts)], lines_of=lines_of)))
    (diagnostic,) = value["diagnostics"]
    # `# `, two letters of two bytes with a blank behind each: the emoji begins at byte 8.
    assert diagnostic["location"]["range"]["start"] == {"line": 1, "column": 9}
    assert diagnostic["severity"] == "ERROR"
    (suggestion,) = diagnostic["suggestions"]
    assert suggestion == {
        "range": {"start": {"line": 1, "column": 3}, "end": {"line": 2, "column": 7}},
        "text": "ты и 👍 тут\n",
    }


def test_rdjson_tells_whole_lines_where_they_are_not_known() -> None:
    facts = {"at": "1:7-3:1", "fix": {"edits": [{"at": "1:3-1:4", "text": "x"}]}}
    (diagnostic,) = json.loads(render("rdjson", report([finding(facts)])))["diagnostics"]
    assert diagnostic["location"]["range"] == {"start": {"line": 1}, "end": {"line": 2}}
    assert "suggestions" not in diagnostic
