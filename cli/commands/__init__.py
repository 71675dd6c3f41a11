"""One file a command; `cli.app` registers them in the order of `--help`."""
