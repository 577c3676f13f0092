"""A guest at a terminal is back in their seat, in every state of the table: however their terminal and their daemon
have ended, and by the link that they used; nobody else is by that link."""

from __future__ import annotations

import pytest

from p2pcards.control.exits import REFUSED
from p2pcards.store.files import find_home
from rigs.homes import kill_daemon
from rigs.host_at_terminal import STATES, hosting_at_terminal
from rigs.program import AtTerminal, MakeProgram

SHOWN = {
    "lobby": "waiting for Ann",
    "in a game": "Your hand",
    "between games": "waiting for Ann",
    "game over": r"play again\?",
    "onlooker": "You're watching",
}
"""What the guest sees there."""


@pytest.mark.parametrize("state", STATES)
def test_a_guest_at_a_terminal_is_back_in_their_seat(make_program: MakeProgram, state: str) -> None:
    bob, cy = make_program("bob"), make_program("cy").inside()
    home = find_home({"P2PCARDS_HOME": str(bob.home)})
    with hosting_at_terminal(make_program("ann"), state, "Bob") as ann:
        with AtTerminal(bob, "join", ann.link, "--name", "Bob", "--auto", "novice") as terminal:
            ann.bring_about()
            terminal.until(SHOWN[state])
        with AtTerminal(bob, "attach") as terminal:  # which was killed, as a window that is closed
            terminal.until(SHOWN[state])
            assert terminal.end("\x04") == 0  # as one goes back to the shell
        with AtTerminal(bob, "join", ann.link, "--name", "Bob") as terminal:
            terminal.until("You already joined that host")
            terminal.until(SHOWN[state])
        code, said = cy.refused("join", ann.link, "--name", "Cy")
        assert code == REFUSED and "that code was already used, and each works only once. Ask for a new code" in said
        with AtTerminal(bob, "attach") as terminal:
            terminal.until(SHOWN[state])
            kill_daemon(home)
            terminal.until("'p2pcards attach' takes you back")
        ann.until_guest("away")
        with AtTerminal(bob, "attach") as terminal:
            ann.until_guest("here")
            terminal.until(SHOWN[state])
        bob.inside().out("stop")
        ann.until_guest("away")
        with AtTerminal(bob, "join", ann.link, "--name", "Bob") as terminal:
            ann.until_guest("here")
            terminal.until(SHOWN[state])


def test_the_screen_names_the_way_back_when_its_daemon_was_killed(make_program: MakeProgram) -> None:
    """And so does the game."""
    bob = make_program("bob")
    with (
        hosting_at_terminal(make_program("ann"), "in a game", "Bob") as ann,
        AtTerminal(bob, "join", ann.link, "--name", "Bob", screen=True) as terminal,
    ):
        ann.bring_about()
        terminal.until(r"Crazy Eights, (hand \d+ of game \d+, )?to 100")
        assert "To come back: p2pcards attach" in bob.inside().out("attach", said="save\n")
        kill_daemon(find_home({"P2PCARDS_HOME": str(bob.home)}))
        terminal.until("'p2pcards attach' takes you back")
