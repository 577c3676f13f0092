"""`python -m p2pcards` is the same program as the `p2pcards` command."""

import signal

if __name__ == "__main__":
    # A Ctrl-C while the program is still being loaded ends it without a word; then `main` sees to it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from p2pcards.cli.main import main

    main()
