"""Words of questions and documents: normal form, tokens, stems, language."""

from docs_agent.core.text.language import language_of
from docs_agent.core.text.normalize import normalize
from docs_agent.core.text.sounds import sound, sound_keys
from docs_agent.core.text.stems import name_key, stem, stems
from docs_agent.core.text.stopwords import asking_stems, lookup_stems, stop_stems
from docs_agent.core.text.tokens import Token, tokens

__all__ = [
    "Token",
    "asking_stems",
    "language_of",
    "lookup_stems",
    "name_key",
    "normalize",
    "sound",
    "sound_keys",
    "stem",
    "stems",
    "stop_stems",
    "tokens",
]
