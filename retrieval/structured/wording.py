"""Every word of these answers that is ours, in both languages, with the right plural forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

MAX_NAME: Final = 80
"""Characters of a name taken from the question that a message repeats."""


class Wording(NamedTuple):
    """Templates of one language by name, and forms of what is counted."""

    language: str
    quoted: str
    templates: Mapping[str, str]
    forms: Mapping[str, tuple[str, ...]]
    """English: one, many. Russian: 1, 2 to 4, 5 and more."""

    def say(self, name: str, /, **values: object) -> str:
        """A template filled in."""
        return self.templates[name].format(**values)

    def counted(self, name: str, number: int) -> str:
        """A number with its noun: "7 API methods", «7 методов API»."""
        return f"{number} {plural(number, self.forms[name])}"

    def quote(self, text: str) -> str:
        """A name in quotation marks of the language, on one line and not longer than MAX_NAME."""
        name = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return self.quoted.format(name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…")


def plural(number: int, forms: tuple[str, ...]) -> str:
    """The form of a noun that goes with a number: two forms as in English, three as in Russian."""
    if len(forms) == 2:
        return forms[number != 1]
    tens, units = number % 100, number % 10
    if units == 1 and tens != 11:
        return forms[0]
    return forms[1] if units in (2, 3, 4) and tens not in (12, 13, 14) else forms[2]


ENGLISH: Final = Wording(
    language="en",
    quoted="“{}”",
    templates={
        "more": "… {count} more; to see them: --limit {total}",
        "more_hidden": "… {count} more",
        "and_more": "and {count} more",
        "nearest": "Nearest: {names}",
        # API methods
        "methods": "{count}:",
        "methods_for": "{count} for {subject}:",
        "no_methods": "The documentation describes no API methods.",
        "no_methods_for": "No API method of the documentation belongs to {subject}.",
        # one API method
        "no_endpoint": "The documentation describes no method {endpoint}.",
        "no_endpoint_named": (
            "Name the method to explain, for example: "
            'docs-agent ask "describe the endpoint {example} in full"'
        ),
        "access": "Endpoint",
        "request": "Request",
        "response": "Response",
        "contract": "Contract",
        "scenario": "Scenario",
        "alternatives": "Otherwise",
        "rules": "Requirements",
        "deprecated": "deprecated",
        "errors": "Errors",
        "error_catalogue": "In the error catalogue",
        "integrations": "Integrations",
        "dependencies": "Dependencies",
        # documents of a domain
        "documents_of": "Domain {domain}: {count}",
        "documents_of_subdomain": "Sub-domain {domain}: {count}",
        "no_type": "no type",
        "no_domain": "No document belongs to the domain {domain}.",
        "no_domain_named": "The question names no domain.",
        "known_domains": "Known domains: {names}",
        "no_domains": "No document of the index states a domain.",
        # integrations
        "integrations_of": "{subject}: {count}",
        "integrations_all": "{count} in the documentation:",
        "stated_by": "stated by {title}",
        "inbound": "inbound",
        "outbound": "outbound",
        "no_integrations": "No document of the index lists an integration.",
        "document_lists_none": (
            "The document {title} was found, but neither it nor another one lists an integration "
            "of it."
        ),
        "component_lists_none": (
            "The component is described in {place} ({facts}), but its integrations are not listed."
        ),
        "no_integrations_of": "No integration of the documentation names {subject}.",
        "not_such": "{subject}: no such integration ({asked}) among {count}.",
        "asked_in": "inbound",
        "asked_out": "outbound",
        "kind_http": "HTTP",
        "kind_rpc": "RPC",
        "kind_queue": "queue",
        "kind_database": "database",
        "kind_file": "file",
        "kind_websocket": "WebSocket",
        "kind_mail": "mail",
        "kind_sms": "SMS",
        "kind_external_system": "external system",
        "kind_service": "service",
        "kind_ui": "user interface",
        "whole": "The documentation",
        "system": "the system",
        "integrated": "Integrations are listed for: {names}",
        # entities
        "entity": "{name}: {count}",
        "defined": "Defined in:",
        "used": "Used in:",
        "lists": "listed in its frontmatter",
        "in_section": "mentioned in {section}",
        "in_text": "mentioned in the text",
        "linked": "relation {kind}",
        "no_entity": "No document of the index lists or mentions {name}.",
        "no_entity_named": (
            'Name the entity to look for, for example: docs-agent ask "where is {example} used"'
        ),
        "known_entities": "Known entities: {names}",
        # related documents
        "related": "{title} ({path}): {count}",
        "no_document_named": (
            "Name the document by id, path, title or endpoint, for example: "
            'docs-agent ask "what is related to {example}"'
        ),
        "no_relations": "The document {title} was found, but nothing links to it or from it.",
        "no_relations_kind": (
            "The document {title} was found, but it has no {kind}; it has {count} in all."
        ),
        "parent": "Parent",
        "children": "Children",
        "outgoing": "Links to",
        "incoming": "Linked from",
        "both": "Linked both ways",
        "none_parent": "parent",
        "none_children": "children",
        "none_outgoing": "outgoing links",
        "none_incoming": "incoming links",
        # architecture
        "components": "{count}:",
        "architecture_documents": "Architecture documents:",
        "related_documents": "Related documents:",
        "no_architecture": "No document of the index describes the components of the system.",
        # engines that do not exist
        "instead": 'docs-agent ask "what components does the system consist of"',
        "openapi_missing": (
            "An OpenAPI specification cannot be generated yet. What the documentation says about "
            'the API can be asked: docs-agent ask "list all API methods"'
        ),
        "generation_missing": (
            "Documentation cannot be written yet. What the documentation already says can be "
            "found: {example}"
        ),
        "code_missing": (
            "Source code is not indexed, only documentation is. Documents about it can be found: "
            "{example}"
        ),
    },
    forms={
        "methods": ("API method", "API methods"),
        "documents": ("document", "documents"),
        "integrations": ("integration", "integrations"),
        "relations": ("relation", "relations"),
        "components": ("component", "components"),
        "sections": ("section", "sections"),
    },
)

RUSSIAN: Final = Wording(
    language="ru",
    quoted="«{}»",
    templates={
        "more": "… ещё {count}; показать их: --limit {total}",
        "more_hidden": "… ещё {count}",
        "and_more": "и ещё {count}",
        "nearest": "Ближайшее: {names}",
        "methods": "В проекте {count}:",
        "methods_for": "Для {subject} в проекте {count}:",
        "no_methods": "В документации не описано ни одного метода API.",
        "no_methods_for": "Ни один метод API в документации не относится к {subject}.",
        "no_endpoint": "В документации не описан метод {endpoint}.",
        "no_endpoint_named": (
            "Назовите метод, который нужно описать, например: "
            'docs-agent ask "опиши полностью метод {example}"'
        ),
        "access": "Endpoint",
        "request": "Запрос",
        "response": "Ответ",
        "contract": "Контракт",
        "scenario": "Сценарий",
        "alternatives": "Иначе",
        "rules": "Требования",
        "deprecated": "устаревший",
        "errors": "Ошибки",
        "error_catalogue": "В каталоге ошибок",
        "integrations": "Интеграции",
        "dependencies": "Зависимости",
        "documents_of": "Домен {domain}: {count}",
        "documents_of_subdomain": "Поддомен {domain}: {count}",
        "no_type": "без типа",
        "no_domain": "Ни один документ не относится к домену {domain}.",
        "no_domain_named": "В вопросе не назван домен.",
        "known_domains": "Известные домены: {names}",
        "no_domains": "Ни в одном документе индекса не указан домен.",
        "integrations_of": "{subject}: {count}",
        "integrations_all": "В документации {count}:",
        "stated_by": "указано в {title}",
        "inbound": "входящая",
        "outbound": "исходящая",
        "no_integrations": "Ни в одном документе индекса не перечислены интеграции.",
        "document_lists_none": (
            "Документ {title} найден, но ни в нём, ни в других документах его интеграции не "
            "перечислены."
        ),
        "component_lists_none": (
            "Компонент описан в {place} ({facts}), но его интеграции не перечислены."
        ),
        "no_integrations_of": "Ни одна интеграция в документации не относится к {subject}.",
        "not_such": "{subject}: таких интеграций нет ({asked}), всего {count}.",
        "asked_in": "входящие",
        "asked_out": "исходящие",
        "kind_http": "HTTP",
        "kind_rpc": "RPC",
        "kind_queue": "очередь",
        "kind_database": "база данных",
        "kind_file": "файл",
        "kind_websocket": "WebSocket",
        "kind_mail": "почта",
        "kind_sms": "СМС",
        "kind_external_system": "внешняя система",
        "kind_service": "сервис",
        "kind_ui": "интерфейс пользователя",
        "whole": "Документация",
        "system": "система",
        "integrated": "Интеграции перечислены у: {names}",
        "entity": "{name}: {count}",
        "defined": "Определена в:",
        "used": "Используется в:",
        "lists": "перечислена во frontmatter",
        "in_section": "упоминается в разделе {section}",
        "in_text": "упоминается в тексте",
        "linked": "связь {kind}",
        "no_entity": "Ни один документ индекса не перечисляет и не упоминает {name}.",
        "no_entity_named": (
            "Назовите сущность, которую нужно найти, например: "
            'docs-agent ask "где используется {example}"'
        ),
        "known_entities": "Известные сущности: {names}",
        "related": "{title} ({path}): {count}",
        "no_document_named": (
            "Назовите документ по id, пути, заголовку или endpoint, например: "
            'docs-agent ask "что связано с {example}"'
        ),
        "no_relations": "Документ {title} найден, но на него никто не ссылается, и он ни на кого.",
        "no_relations_kind": "Документ {title} найден, но у него нет {kind}; всего {count}.",
        "parent": "Родитель",
        "children": "Дочерние",
        "outgoing": "Ссылается на",
        "incoming": "На него ссылаются",
        "both": "Ссылаются друг на друга",
        "none_parent": "родителя",
        "none_children": "дочерних документов",
        "none_outgoing": "исходящих ссылок",
        "none_incoming": "входящих ссылок",
        "components": "{count}:",
        "architecture_documents": "Документы об архитектуре:",
        "related_documents": "Связанные документы:",
        "no_architecture": "Ни один документ индекса не описывает компоненты системы.",
        "instead": 'docs-agent ask "из каких компонентов состоит система"',
        "openapi_missing": (
            "Генерации спецификации OpenAPI пока нет. Что документация говорит об API, можно "
            'спросить: docs-agent ask "какие методы API есть в проекте"'
        ),
        "generation_missing": (
            "Генерации документации пока нет. Что документация уже говорит, можно найти: {example}"
        ),
        "code_missing": (
            "Исходный код не проиндексирован, только документация. Документы о нём можно найти: "
            "{example}"
        ),
    },
    forms={
        "methods": ("метод API", "метода API", "методов API"),
        "documents": ("документ", "документа", "документов"),
        "integrations": ("интеграция", "интеграции", "интеграций"),
        "relations": ("связь", "связи", "связей"),
        "components": ("компонент", "компонента", "компонентов"),
        "sections": ("раздел", "раздела", "разделов"),
    },
)


def wording(language: str) -> Wording:
    """Russian for `ru`, English for everything else."""
    return RUSSIAN if language == "ru" else ENGLISH
