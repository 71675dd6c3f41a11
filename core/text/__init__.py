"""Words of questions and documents: normal form, tokens, stems, language. No I/O."""

from docs_agent.core.text.language import language_of
from docs_agent.core.text.normalize import normalize
from docs_agent.core.text.stems import name_key, stem, stems
from docs_agent.core.text.tokens import Token, tokens

__all__ = ["Token", "language_of", "name_key", "normalize", "stem", "stems", "tokens"]
