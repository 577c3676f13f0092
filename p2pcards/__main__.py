"""`python -m p2pcards` is the same program as the `p2pcards` command."""

from p2pcards.cli.main import main

if __name__ == "__main__":
    main()
