"""Language models: one Protocol, implementations beside it."""
