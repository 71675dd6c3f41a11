"""One file a command; `cli.app` lists them in the order of `--help` and loads the one that runs."""
