"""Values, errors, text and the three seams (store, embed, llm) that the rest stands on."""
