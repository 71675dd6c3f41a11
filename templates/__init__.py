"""The document model: document types, frontmatter schema, section names."""
