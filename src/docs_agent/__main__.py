"""`python -m docs_agent` runs the command line."""

from docs_agent.cli.app import main

if __name__ == "__main__":
    main()
