"""One module per docs layer; `docs_agent.indexers.extract` lists them in order."""
