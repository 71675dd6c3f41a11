"""How each renderer makes the anchors of a page, one renderer one file."""
