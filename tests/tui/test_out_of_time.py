"""Two people think for longer than their turn clocks allow: at real daemons, one on the full screen and one in line
mode. Neither loses the seat, and a key is enough to have it again."""

from __future__ import annotations

from p2pcards.control.exits import USAGE
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.timed import begin_timed


def test_two_who_timed_out_have_their_seats_again_by_a_key(make_program: MakeProgram) -> None:
    ann, bob = make_program("ann"), make_program("bob")
    begin_timed(ann, bob, clock=1)
    with AtTerminal(ann, "attach", screen=True) as at_ann, AtTerminal(bob, "attach") as at_bob:
        at_ann.until("Paused: everyone timed out")
        at_bob.until("Paused: everyone timed out. Press Enter to take your seat back")
        at_ann.type("x")
        at_bob.until("Ann is playing again")
        at_ann.until("You're back. ")
        at_ann.until("The game resumes")
        at_bob.type("\r")
        at_bob.until("You're back")
        assert at_ann.end("\x11") == 0


def test_a_clock_of_a_day_is_shown_in_hours_and_a_longer_one_is_refused(
    make_program: MakeProgram, program: Program
) -> None:
    ann, bob = make_program("ann"), make_program("bob")
    begin_timed(ann, bob, clock=86400)
    with AtTerminal(bob, "attach") as at_bob:
        at_bob.until(r"your turn \(24 h\)")
        at_bob.type("\x04")
    code, said = program.inside().refused("connect", "127.0.0.1:1", "--turn-clock", "86401")
    assert code == USAGE and "86401 is not in the range 0<=x<=86400." in said
