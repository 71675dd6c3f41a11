"""Encodings, line ends, size limits and other things that are no Markdown."""

from __future__ import annotations

import subprocess
import sys

import pytest

from docs_agent.indexers.decode import decode, split_lines
from docs_agent.indexers.document import ParsedDocument, Refused
from docs_agent.indexers.parse import parse

RUSSIAN = (
    "# Настройка сервиса\n\nСервис проверяет поля и отвечает клиенту. "
    "Ошибки описаны в каталоге, повтор допустим.\n"
)
ENGLISH = "# Service setup\n\nThe service checks the fields and answers the client.\n"


def parsed(data: bytes) -> ParsedDocument:
    document = parse("docs/a.md", data)
    assert isinstance(document, ParsedDocument)
    return document


def codes(data: bytes) -> list[str]:
    return [warning.code for warning in parsed(data).warnings]


@pytest.mark.parametrize("text", [RUSSIAN, ENGLISH], ids=["ru", "en"])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-be"]
)
def test_unicode_encodings_give_the_same_text(text: str, encoding: str) -> None:
    document = parsed(text.encode(encoding))
    assert document.lines == parsed(text.encode()).lines
    assert document.sections == parsed(text.encode()).sections


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r"])
def test_a_russian_code_page_is_guessed_with_a_warning(encoding: str) -> None:
    document = parsed(RUSSIAN.encode(encoding))
    assert document.title == "Настройка сервиса"
    assert document.lang == "ru"
    assert [w.code for w in document.warnings] == ["encoding-guessed"]
    assert encoding in document.warnings[0].message


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r"])
@pytest.mark.parametrize(
    "text", ["# ПРИВЕТ МИР", "Да", "Файл config.yaml не найден", "ОШИБКА: нет", "Ёлка и ещё"]
)
def test_short_russian_texts_are_guessed(text: str, encoding: str) -> None:
    assert parsed(text.encode(encoding)).lines == (text,)


def test_dashes_of_western_windows_are_kept() -> None:
    assert parsed("Größe ändern – für alle".encode("cp1252")).lines == ("Größe ändern – für alle",)


def test_latin_1_is_guessed_with_a_warning() -> None:
    document = parsed("# Café\n\nLe résumé du café est déjà prêt.\n".encode("latin-1"))
    assert document.title == "Café"
    assert [w.code for w in document.warnings] == ["encoding-guessed"]


def test_damaged_utf8_stays_utf8_and_names_the_line() -> None:
    data = RUSSIAN.encode() + "ещё строка ".encode()[:-2] + b"\n"
    document = parsed(data[:-3] + b"\xd0\n" + ENGLISH.encode())
    assert document.title == "Настройка сервиса"
    assert [(w.line, w.code) for w in document.warnings] == [(4, "encoding-invalid-bytes")]


@pytest.mark.parametrize(
    "data",
    [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"%PDF-1.7\n%\xe2\xe3", bytes(range(256)) * 20],
    ids=["png", "pdf", "all bytes"],
)
def test_binary_files_are_refused(data: bytes) -> None:
    refused = parse("docs/a.md", data)
    assert isinstance(refused, Refused)
    assert refused.code == "binary-file"
    assert refused.path == "docs/a.md"


def test_a_stray_nul_is_shown_and_reported() -> None:
    document = parsed(b"# Title\n\none\0two\n")
    assert [(w.line, w.code) for w in document.warnings] == [(3, "nul-characters")]
    assert document.sections[0].blocks[0].text == "one\ufffdtwo"


def test_a_large_file_is_refused_by_the_limit_given() -> None:
    refused = parse("docs/a.md", b"x" * 1001, max_bytes=1000)
    assert isinstance(refused, Refused)
    assert refused.code == "file-too-large"
    assert isinstance(parse("docs/a.md", b"x" * 1000, max_bytes=1000), ParsedDocument)


def test_fifty_megabytes_are_refused_by_default() -> None:
    refused = parse("docs/a.md", b"x" * 50_000_000)
    assert isinstance(refused, Refused)


def test_lone_surrogates_do_not_survive() -> None:
    data = "\ufeff# A\n\nb \ud800 c\n".encode("utf-16-le", "surrogatepass")
    document = parsed(data)
    assert [(w.line, w.code) for w in document.warnings] == [(3, "encoding-invalid-bytes")]
    "".join(document.lines).encode()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb\r\nc\rd", ["a", "b", "c", "d"]),
        ("a\x0cb\u2028c\x85d\x0be\u2029\n", ["a\x0cb\u2028c\x85d\x0be\u2029"]),
        ("\n\r\n", ["", ""]),
        ("", []),
        ("a\r\r\nb\n", ["a", "", "b"]),
    ],
)
def test_only_editors_line_ends_end_a_line(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


def test_separators_inside_lines_do_not_shift_spans() -> None:
    document = parsed("---\nid: x\u2028y\nt: a\x0cb\n---\n\n# T\u2029t\x0c\n\np\x85q\n".encode())
    assert document.frontmatter.values == {"id": "x\u2028y", "t": "a\x0cb"}
    assert document.frontmatter.lines == {"id": 2, "t": 3}
    section = document.sections[0]
    assert (section.start, section.blocks[0].start) == (6, 8)


def test_a_byte_order_mark_does_not_hide_the_metadata() -> None:
    document = parsed(b"\xef\xbb\xbf---\nid: x\n---\n# T\n")
    assert document.frontmatter.values == {"id": "x"}
    assert document.sections[0].start == 4


def test_escape_sequences_stay_data() -> None:
    document = parsed(b"# A \x1b[31mred\x1b[0m\n")
    assert "\x1b[31m" in document.lines[0]
    assert document.warnings == ()


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b"---\n---\n", b"   \t\n"])
def test_a_document_without_a_body_has_no_sections(data: bytes) -> None:
    document = parsed(data)
    assert document.sections == ()
    assert document.title == "a"
    assert document.warnings == ()


def test_decoding_names_the_encoding() -> None:
    plain = decode("да".encode())
    marked = decode("да".encode("utf-16"))
    assert plain is not None
    assert plain.encoding == "utf-8"
    assert marked is not None
    assert marked.encoding == "utf-16-le"


def test_heavy_libraries_are_imported_only_when_a_file_is_parsed() -> None:
    code = (
        "import sys, docs_agent.indexers.parse, docs_agent.indexers.plain;"
        "print({'markdown_it', 'yaml', 'numpy', 'httpx'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


SENTENCES = (
    "# Заказы\n\nСервис принимает заказ и проверяет его.",
    "| Поле | Тип |\n|---|---|\n| имя | строка |",
    "Настройка повторов при сбое доставки: см. config.yml.",
    "объявление, съезд, щука",
)


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp866", "mac-cyrillic"])
@pytest.mark.parametrize("text", SENTENCES)
def test_every_russian_code_page_is_told_from_the_others(text: str, encoding: str) -> None:
    assert "\n".join(parsed(text.encode(encoding)).lines) == text


def test_drawing_of_dos_does_not_hide_the_words() -> None:
    text = "╔════════╗\n║ Меню ║\n╚════════╝\nВыход из программы"
    assert "\n".join(parsed(text.encode("cp866")).lines) == text


@pytest.mark.parametrize(
    "text", ["Müller geht über die Straße nach Köln", "El niño mañana, señor", "100 °C ± 5 µm"]
)
def test_western_text_is_not_taken_for_russian(text: str) -> None:
    assert parsed(text.encode("latin-1")).lines == (text,)
