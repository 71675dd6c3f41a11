"""The rules in the order of their codes. A new one is a module in `lint/rules/` and a line here."""

from __future__ import annotations

from typing import Final

from docs_agent.lint.rule import Rule
from docs_agent.lint.rules import (
    doc001_unreadable,
    doc002_not_utf8,
    doc003_byte_order_mark,
    doc004_mixed_line_ends,
    doc005_empty_file,
    doc006_control_characters,
    doc007_non_portable_path,
    doc101_missing_frontmatter,
    doc102_unterminated_frontmatter,
    doc103_mangled_frontmatter,
    doc104_invalid_yaml,
    doc105_duplicate_key,
    doc106_tab_indent,
    doc107_refused_yaml,
    doc108_missing_key,
    doc109_recommended_key,
    doc110_misspelt_key,
    doc111_unknown_value,
    doc112_wrong_type,
    doc113_id_shape,
    doc114_ambiguous_scalar,
    doc115_title_mismatch,
    doc116_mixed_alphabets,
    doc117_cut_value,
    doc201_single_h1,
    doc202_level_jump,
    doc203_missing_section,
    doc204_missing_summary,
    doc205_long_summary,
    doc212_unclosed_fence,
    doc301_dead_link,
    doc302_letter_case,
    doc303_dead_anchor,
    doc304_absolute_path,
    doc305_undefined_reference,
    doc306_unused_definition,
    doc307_missing_image,
    doc308_link_leaves_root,
    doc309_empty_link,
    doc310_duplicate_definition,
    doc312_unparsed_link,
    doc401_duplicate_id,
    doc402_unresolved_reference,
    doc404_cycle,
    doc406_missing_code,
    doc409_link_to_outdated,
    doc411_self_reference,
    doc412_repeated_reference,
    doc604_bad_date,
    doc901_unused_suppression,
    doc902_unknown_code,
)

UNREADABLE: Final = doc001_unreadable.RULE
NOT_UTF8: Final = doc002_not_utf8.RULE
UNUSED: Final = doc901_unused_suppression.RULE
UNKNOWN_CODE: Final = doc902_unknown_code.RULE

RULES: Final[tuple[Rule, ...]] = (
    UNREADABLE,
    NOT_UTF8,
    doc003_byte_order_mark.RULE,
    doc004_mixed_line_ends.RULE,
    doc005_empty_file.RULE,
    doc006_control_characters.RULE,
    doc007_non_portable_path.RULE,
    doc101_missing_frontmatter.RULE,
    doc102_unterminated_frontmatter.RULE,
    doc103_mangled_frontmatter.RULE,
    doc104_invalid_yaml.RULE,
    doc105_duplicate_key.RULE,
    doc106_tab_indent.RULE,
    doc107_refused_yaml.RULE,
    doc108_missing_key.RULE,
    doc109_recommended_key.RULE,
    doc110_misspelt_key.RULE,
    doc111_unknown_value.RULE,
    doc112_wrong_type.RULE,
    doc113_id_shape.RULE,
    doc114_ambiguous_scalar.RULE,
    doc115_title_mismatch.RULE,
    doc116_mixed_alphabets.RULE,
    doc117_cut_value.RULE,
    doc201_single_h1.RULE,
    doc202_level_jump.RULE,
    doc203_missing_section.RULE,
    doc204_missing_summary.RULE,
    doc205_long_summary.RULE,
    doc212_unclosed_fence.RULE,
    doc301_dead_link.RULE,
    doc302_letter_case.RULE,
    doc303_dead_anchor.RULE,
    doc304_absolute_path.RULE,
    doc305_undefined_reference.RULE,
    doc306_unused_definition.RULE,
    doc307_missing_image.RULE,
    doc308_link_leaves_root.RULE,
    doc309_empty_link.RULE,
    doc310_duplicate_definition.RULE,
    doc312_unparsed_link.RULE,
    doc401_duplicate_id.RULE,
    doc402_unresolved_reference.RULE,
    doc404_cycle.RULE,
    doc406_missing_code.RULE,
    doc409_link_to_outdated.RULE,
    doc411_self_reference.RULE,
    doc412_repeated_reference.RULE,
    doc604_bad_date.RULE,
    UNUSED,
    UNKNOWN_CODE,
)


_BY_CODE: Final = {rule.code: rule for rule in RULES}


def rule_of(code: str) -> Rule | None:
    """The rule with a code, in any letter case."""
    return _BY_CODE.get(code.upper())


def explanation(rule: Rule) -> str:
    """The docstring of the rule's module: sections What it does, Why, Example, Fix."""
    import sys

    from docs_agent.lint import rules

    prefix = f"{rules.__name__}.{rule.code.lower()}_"
    module = next(module for name, module in sys.modules.items() if name.startswith(prefix))
    return (module.__doc__ or "").strip()
