"""Words of the document model as data: section names, bold labels, frontmatter keys, columns.

One row is one meaning, then every way it is written. A row may be extended by anyone: names are
compared whole, without case, numbering, punctuation or `_`/`-`, Russian and English alike.
`templates.lookup` is the way to ask.
"""

from __future__ import annotations

from typing import Final

Table = tuple[tuple[str, tuple[str, ...]], ...]
"""Rows of (meaning, the ways it is written)."""

SECTION_NAMES: Final[Table] = (
    (
        "summary",
        (
            "summary",
            "tl;dr",
            "tldr",
            "abstract",
            "in short",
            "резюме",
            "сводка",
            "кратко",
            "краткое описание",
            "краткое содержание",
        ),
    ),
    ("purpose", ("purpose", "goal", "goals", "назначение", "цель", "цели")),
    ("details", ("details", "детали", "подробности", "подробное описание")),
    ("description", ("description", "описание", "описание ui", "ui description")),
    ("context", ("context", "контекст")),
    (
        "scenario",
        (
            "scenario",
            "use case",
            "technical use case",
            "technical scenario",
            "сценарий",
            "сценарий использования",
            "технический use case",
            "технический сценарий",
            "вариант использования",
        ),
    ),
    (
        "flows",
        (
            "scenarios",
            "use cases",
            "flows",
            "main flows",
            "key flows",
            "data flows",
            "key data flows",
            "workflows",
            "сценарии",
            "сценарии использования",
            "варианты использования",
            "потоки",
            "основные потоки",
            "ключевые потоки",
            "потоки данных",
        ),
    ),
    (
        "steps",
        (
            "steps",
            "procedure",
            "instructions",
            "algorithm",
            "шаги",
            "процедура",
            "инструкция",
            "алгоритм",
            "порядок действий",
            "порядок работы",
        ),
    ),
    (
        "main_flow",
        (
            "main flow",
            "main scenario",
            "main success scenario",
            "basic flow",
            "normal flow",
            "primary flow",
            "happy path",
            "основной сценарий",
            "основной поток",
            "основная ветка",
        ),
    ),
    (
        "alternative_flow",
        (
            "alternative flow",
            "alternative flows",
            "alternative scenario",
            "alternative scenarios",
            "alternate flow",
            "alternate flows",
            "alternative branches",
            "альтернативный сценарий",
            "альтернативные сценарии",
            "альтернативная ветка",
            "альтернативные ветки",
            "альтернативный поток",
            "альтернативные потоки",
        ),
    ),
    (
        "error_handling",
        (
            "error handling",
            "error flow",
            "error flows",
            "exception flow",
            "exception flows",
            "обработка ошибок",
            "ошибочные сценарии",
            "сценарии ошибок",
        ),
    ),
    (
        "preconditions",
        ("precondition", "preconditions", "prerequisites", "предусловие", "предусловия"),
    ),
    (
        "postconditions",
        ("postcondition", "postconditions", "постусловие", "постусловия"),
    ),
    ("trigger", ("trigger", "triggers", "триггер", "триггеры", "событие запуска")),
    (
        "contract",
        (
            "contract",
            "api contract",
            "request and response contract",
            "endpoint",
            "endpoint summary",
            "request",
            "response",
            "request parameters",
            "response fields",
            "parameters",
            "контракт",
            "контракт api",
            "эндпоинт",
            "запрос",
            "ответ",
            "запрос и ответ",
            "параметры",
            "параметры запроса",
            "поля ответа",
            "входные параметры",
            "выходные параметры",
        ),
    ),
    (
        "errors",
        (
            "errors",
            "error cases",
            "error codes",
            "main errors",
            "possible errors",
            "error responses",
            "errors catalogue",
            "error catalog",
            "ошибки",
            "коды ошибок",
            "основные ошибки",
            "возможные ошибки",
            "ответы с ошибками",
            "каталог ошибок",
        ),
    ),
    (
        "integrations",
        (
            "integrations",
            "main integrations",
            "key integrations",
            "интеграции",
            "основные интеграции",
            "ключевые интеграции",
        ),
    ),
    (
        "functional_requirements",
        ("functional requirements", "функциональные требования"),
    ),
    ("requirements", ("requirements", "требования")),
    (
        "non_functional_requirements",
        (
            "non functional requirements",
            "nonfunctional requirements",
            "non functional aspects",
            "nfr",
            "нефункциональные требования",
            "нефункциональные аспекты",
            "нфт",
        ),
    ),
    (
        "constraints",
        (
            "constraints",
            "limitations",
            "invariants",
            "invariants and constraints",
            "constraints and preconditions",
            "ограничения",
            "инварианты",
            "инварианты и ограничения",
            "ограничения и условия вызова",
        ),
    ),
    ("attributes", ("attributes", "fields", "properties", "атрибуты", "поля", "свойства")),
    (
        "lifecycle",
        ("lifecycle", "states and lifecycle", "жизненный цикл", "состояния и жизненный цикл"),
    ),
    (
        "entities",
        ("entities", "related entities", "сущности", "связанные сущности"),
    ),
    ("modules", ("modules", "main modules", "components", "основные модули", "компоненты")),
    ("related_code", ("related code", "связанный код", "код")),
    (
        "related_docs",
        ("related documents", "related docs", "see also", "связанные документы", "см. также"),
    ),
    (
        "history",
        (
            "history",
            "change history",
            "changelog",
            "revision history",
            "история",
            "история изменений",
        ),
    ),
)
"""Names of headings and of bold labels."""

LABEL_NAMES: Final[Table] = (
    ("name", ("name", "title", "scenario name", "название", "название сценария", "наименование")),
)
"""Labels inside a scenario that are no section names elsewhere."""

FRONTMATTER_KEYS: Final[Table] = (
    ("id", ("id",)),
    ("title", ("title",)),
    ("type", ("type", "doc_type", "doctype")),
    ("domain", ("domain",)),
    ("subdomain", ("subdomain", "sub_domain")),
    ("module", ("module",)),
    ("tags", ("tags",)),
    ("entities", ("entities",)),
    ("endpoint", ("endpoint", "endpoints")),
    ("aliases", ("aliases", "alias")),
    ("links", ("links",)),
    ("description", ("description",)),
)
"""Keys of the frontmatter that mean the same; the first written one counts."""

RELATION_KEYS: Final[Table] = (
    (
        "document",
        (
            "related_docs",
            "related_documents",
            "parent",
            "children",
            "see_also",
            "depends_on",
            "calls_api",
            "called_by",
            "called_from",
            "uses_logic",
            "used_by",
            "related_api",
            "related_logic",
            "related_ui",
            "supersedes",
            "superseded_by",
            "replaces",
            "replaced_by",
        ),
    ),
    ("code", ("related_code", "implemented_by", "implemented_in")),
    (
        "external_object",
        (
            "reads_db",
            "writes_db",
            "integrates_with",
            "emits",
            "consumes",
            "publishes",
            "subscribes",
            "subscribes_to",
        ),
    ),
)
"""What a key of the frontmatter, or a type inside `links`, points to."""

INTEGRATION_FIELDS: Final[Table] = (
    (
        "target",
        (
            "target",
            "integration",
            "system",
            "service",
            "external system",
            "name",
            "интеграция",
            "система",
            "внешняя система",
            "сервис",
            "целевой объект",
            "название",
        ),
    ),
    ("target_type", ("target type", "type", "тип", "тип цели", "тип целевого объекта")),
    ("direction", ("direction", "направление")),
    ("interaction", ("interaction", "взаимодействие", "тип взаимодействия")),
    (
        "via",
        (
            "via",
            "channel",
            "protocol",
            "transport",
            "protocol / transport",
            "protocol/transport",
            "канал",
            "протокол",
            "транспорт",
            "протокол / транспорт",
            "протокол/транспорт",
        ),
    ),
    ("purpose", ("purpose", "description", "назначение", "цель", "описание")),
    ("details", ("details", "детали", "подробности", "дополнительно")),
)
"""Bullets of an integration and columns of an integrations table."""

CONTRACT_FIELDS: Final[Table] = (
    ("endpoint", ("endpoint", "main endpoint", "эндпоинт", "ручка")),
    ("method", ("method", "http method", "метод", "http метод")),
    ("path", ("path", "route", "url", "путь", "маршрут")),
)
"""Bullets that name the endpoint of an API document."""

HOW_TO_STARTS: Final = ("how to ", "как ")
"""A heading that begins so promises steps."""
