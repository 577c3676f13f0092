"""Two people think for longer than their turn clocks allow: at real daemons, one on the full screen and one in line
mode. Neither loses the seat, and a key is enough to have it again."""

from __future__ import annotations

from rigs.program import AtTerminal, MakeProgram
from rigs.timed import begin_timed


def test_two_who_timed_out_have_their_seats_again_by_a_key(make_program: MakeProgram) -> None:
    ann, bob = make_program("ann"), make_program("bob")
    begin_timed(ann, bob, clock=1)
    with AtTerminal(ann, "attach", screen=True) as at_ann, AtTerminal(bob, "attach") as at_bob:
        at_ann.until("Paused; Enter takes your seat back")
        at_bob.until("Paused: everyone timed out. Press Enter to take your seat back")
        at_ann.type("x")
        at_bob.until("Ann plays for themselves again")
        at_ann.until("Your turn|Enter takes")
        at_bob.type("\r")
        at_bob.until("You play for yourself again")
        assert at_ann.end("\x11") == 0
