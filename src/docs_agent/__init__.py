"""docs-agent: index Markdown documentation and ask it questions, with citations."""

__version__ = "0.1.0"
