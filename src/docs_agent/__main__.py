"""`python -m docs_agent` runs the command line."""

from docs_agent.cli.main import main

if __name__ == "__main__":
    main()
