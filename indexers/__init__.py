"""From files to records: discovery, parsing, one extractor per layer, the indexing run."""
