"""Entry point; the commands are registered here."""


def main() -> None:
    raise SystemExit(2)
