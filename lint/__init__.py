"""docs-lint: rules over the documentation as a system, their fixes and the forms a report takes."""
