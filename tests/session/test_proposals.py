"""Taking back and dealing again: alone as one likes, with people when everybody has said yes."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from p2pcards.ledger.transitions import Phase
from p2pcards.session import followed_game, lobby
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import CommandError, Me, Send
from p2pcards.views.happenings import HandDealt, HandGivenUp, HandOpened, Proposed, SaidNo, TakenBack
from p2pcards.views.tableview import Command, ProposalView
from p2pcards.wire.messages import Proposal, Vote, encode_message
from p2pcards.wire.records import EntryKind, Header, RedealEntry, RestartEntry, UndoEntry
from rigs.net import CAST, Net, key_of
from rigs.people import act, by_hand, entries, spoken, to_act
from rigs.pure import remembered_signatures
from rigs.whole import check_whole

signatures = remembered_signatures()


def say(net: Net, i: int, *words: str) -> None:
    net.say(i, *words)
    net.run()


def end(net: Net) -> None:
    """Everything that was changed stands in everybody's log, which is whole and honest."""
    say(net, 0, "end")
    check_whole(net)


def dealt(net: Net, i: int) -> list[int]:
    return [one.hand for one in net.tales(i, HandDealt)]


# --- dealing again ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asker", [0, 1, 2])
def test_a_hand_is_dealt_again_when_everybody_has_said_yes(asker: int) -> None:
    net = by_hand(2, game="hearts", preset="hearts-deluxe", seed=3)
    before = net.at(0).state.hands
    say(net, asker, "redeal")
    others = [i for i in (0, 1, 2) if i != asker]
    name = net.at(0).header.sides[asker].name
    for i in others:
        assert net.view(i).proposal == ProposalView(name, redeal=True)
        assert net.tales(i, Proposed) == [Proposed(name, redeal=True)]
    assert net.view(asker).proposal is None
    say(net, others[0], "yes")
    assert not entries(net, 0, RedealEntry)
    assert net.view(others[0]).proposal is None
    say(net, others[1], "yes")
    assert [entry.side for entry in entries(net, 1, RedealEntry)] == [asker]
    for i in (0, 1, 2):
        assert net.tales(i, HandGivenUp) == [HandGivenUp(name, i == asker, alone=False)]
        assert dealt(net, i) == [1, 1]
        assert net.tales(i, HandOpened) == [HandOpened(1, proven=True, why="the hand matches what you saw")]
        assert net.view(i).proposal is None
    assert net.at(0).state.hands != before
    assert net.at(0).redeals == (asker,)
    end(net)


@pytest.mark.parametrize("refuser", [0, 1])
def test_one_no_is_enough_and_everybody_is_told(refuser: int) -> None:
    net = by_hand(2, game="hearts", preset="hearts-deluxe")
    say(net, 2, "redeal")
    count = net.at(0).count
    say(net, refuser, "no")
    name = net.at(0).header.sides[refuser].name
    for i in (0, 1, 2):
        assert net.tales(i, SaidNo) == [SaidNo(name, mine=i == refuser)]
        assert net.view(i).proposal is None
    say_nothing = 1 - refuser
    with pytest.raises(CommandError, match="There's nothing to agree to"):
        net.say(say_nothing, "yes")
    assert net.at(0).count == count
    end(net)


def test_a_proposal_is_over_as_soon_as_somebody_plays_on() -> None:
    net = by_hand(1)
    other = 1 - to_act(net)
    say(net, other, "redeal")
    assert net.view(1 - other).proposal is not None
    act(net, 1 - other, spoken(net, 1 - other))
    assert net.view(1 - other).proposal is None
    with pytest.raises(CommandError, match="nothing to agree to"):
        net.say(1 - other, "yes")
    assert not entries(net, 0, RedealEntry)
    end(net)


def test_one_thing_is_proposed_at_a_time() -> None:
    net = by_hand(2, game="hearts", preset="hearts-deluxe")
    say(net, 1, "redeal")
    with pytest.raises(CommandError, match="Answer the open request first"):
        net.say(0, "redeal")
    end(net)


def test_who_is_away_cannot_agree_and_whose_character_plays_need_not() -> None:
    net = by_hand(2, game="hearts", preset="hearts-deluxe")
    net.deaf.add(2)
    net.cut_all(2)
    net.run_for(1)
    with pytest.raises(CommandError, match=r"Everyone has to agree to that, but Cy can't be reached right now\."):
        net.say(0, "redeal")
    say(net, 1, "redeal")
    assert net.tales(1, SaidNo) == [SaidNo("Ann")]
    net.run_for(61)
    assert 2 in net.at(0).taken_over
    say(net, 1, "redeal")
    say(net, 0, "yes")
    assert net.at(0).redeals == (1,)
    with pytest.raises(CommandError, match="The host isn't connected, so nobody can agree to that now"):
        net.say(2, "redeal")


def test_a_proposal_is_over_when_somebody_who_is_to_answer_is_cut_off() -> None:
    net = by_hand(2, game="hearts", preset="hearts-deluxe")
    say(net, 1, "redeal")
    assert net.view(0).proposal is not None
    net.deaf.add(2)
    net.cut_all(2)
    net.run_for(1)
    assert net.view(0).proposal is None
    with pytest.raises(CommandError, match="nothing to agree to"):
        net.say(0, "yes")


def test_a_watcher_has_nothing_to_say_about_the_deal() -> None:
    net = by_hand(2, game="cribbage", preset="real-deal")
    watcher = next(i for i in (1, 2) if net.at(i).seat is None)
    with pytest.raises(CommandError, match="You can only ask for that while you're playing your own seat"):
        net.say(watcher, "redeal")
    player = 3 - watcher
    say(net, player, "redeal")
    assert net.view(watcher).proposal is None
    say(net, 0, "yes")
    assert dealt(net, watcher) == [1, 1]
    end(net)


def test_hands_are_counted_as_they_were_before_when_one_was_dealt_again() -> None:
    net = by_hand(1)
    for hand in (1, 2):
        while net.at(0).state.hand < hand or net.at(0).phase is not Phase.PLAY:
            act(net, to_act(net))
        say(net, 1, "redeal")
        say(net, 0, "yes")
    assert dealt(net, 0) == dealt(net, 1) == [1, 1, 2, 2]
    assert [one.hand for one in net.tales(1, HandOpened)] == [1, 1, 2]
    assert net.at(0).redeals == (1, 1)
    end(net)


# --- taking back ------------------------------------------------------------------------------------------------------


def melded(listeners: int) -> tuple[Net, int]:
    """A table at which a person has just melded, and whose they are."""
    for seed in range(1, 60):
        net = by_hand(listeners, game="rummy_500", preset="meggiesoft", seed=seed)
        for _ in range(60):
            if net.at(0).phase is not Phase.PLAY:
                break
            i = to_act(net)
            melds = [words for words in net.view(i).legal if words.startswith("meld")]
            act(net, i, melds[0] if melds else "")
            if melds and net.at(0).state.to_act and to_act(net) == i:
                return net, i
    raise AssertionError("nobody melds")


def test_a_meld_is_taken_back_when_the_other_agrees_and_can_be_made_again() -> None:
    net, i = melded(1)
    step = net.at(0).steps[-1]
    say(net, i, "undo")
    assert net.view(1 - i).proposal == ProposalView(net.at(0).header.sides[i].name, redeal=False)
    say(net, 1 - i, "yes")
    assert entries(net, 1, UndoEntry)
    assert net.at(0).state == step.before
    for one in (0, 1):
        assert [tale.mine for tale in net.tales(one, TakenBack)] == [one == i]
    act(net, i, next(words for words in net.view(i).legal if words.startswith("meld")))
    end(net)


def test_only_who_made_it_may_take_it_back() -> None:
    net, i = melded(1)
    with pytest.raises(CommandError, match="You can't take that back: another player has moved since"):
        net.say(1 - i, "undo")


def test_nothing_to_take_back_is_said_in_a_sentence() -> None:
    net = by_hand(1)
    with pytest.raises(CommandError, match="nobody has moved since the deal"):
        net.say(to_act(net), "undo")
    net, i = melded(1)
    discards = [words for words in net.view(i).legal if words.startswith("discard")]
    act(net, i, discards[0])
    with pytest.raises(CommandError, match="In Rummy 500 you can only take back a meld or a lay"):
        net.say(i, "undo")


# --- alone ------------------------------------------------------------------------------------------------------------


def test_alone_a_hand_is_dealt_again_at_once() -> None:
    net = by_hand(0, game="whist", preset="real-deal")
    before = net.at(0).state.hands
    say(net, 0, "redeal")
    assert net.at(0).state.hands != before
    assert net.tales(0, HandGivenUp) == [HandGivenUp("Ann", mine=True, alone=True)]
    assert dealt(net, 0) == [1, 1]
    end(net)


def test_alone_a_meld_is_taken_back_at_once_but_no_card_that_was_drawn() -> None:
    net = by_hand(0, game="pinochle2", preset="meggiesoft")
    with pytest.raises(CommandError, match="you haven't moved since the deal"):
        net.say(0, "undo")
    while not (melds := [words for words in net.view(0).legal if words.startswith("meld")]):
        act(net, 0)
    before = net.at(0).state
    act(net, 0, melds[0])
    assert sum(net.at(0).state.scores) > sum(before.scores)
    say(net, 0, "undo")
    assert net.at(0).state == before
    assert [tale.words for tale in net.tales(0, TakenBack)] == [melds[0]]
    act(net, 0, melds[0])
    act(net, 0, "draw")
    with pytest.raises(CommandError, match="You can't take that back: you've seen a new card since"):
        net.say(0, "undo")
    end(net)


def test_alone_a_card_is_taken_back_with_what_the_computers_played_to_it() -> None:
    net = by_hand(0, game="whist", preset="real-deal")
    first = net.at(0).state
    act(net, 0)
    act(net, 0)
    played = [step for step in net.at(0).steps if step.seat is not None]
    mine = max(place for place, step in enumerate(played) if step.seat == 0)
    say(net, 0, "undo")
    (told,) = net.tales(0, TakenBack)
    assert (told.words, told.mine) == (str(played[mine].action.card), True)
    assert [words for _, words in told.answers] == [str(step.action.card) for step in played[mine + 1 :]]
    say(net, 0, "undo")
    assert net.at(0).state == first
    with pytest.raises(CommandError, match="you haven't moved since the deal"):
        net.say(0, "undo")
    act(net, 0, net.view(0).legal[-1])
    end(net)


def test_alone_what_was_done_for_want_of_anything_else_is_taken_back_with_what_led_to_it() -> None:
    net = by_hand(0, game="cribbage", preset="real-deal")
    while net.view(0).legal != ("go",):
        act(net, 0)
    game = net.at(0).game
    chosen = [step for step in net.at(0).steps if step.seat == 0 and len(game.legal(step.before, 0)) > 1]
    act(net, 0, "go")
    say(net, 0, "undo")
    assert net.at(0).state == chosen[-1].before
    assert len(net.tales(0, TakenBack)) > 1
    end(net)


def test_alone_the_same_cards_come_again_hands_are_exchanged_and_seen() -> None:
    net = by_hand(0, game="whist", preset="real-deal")
    dealt_first = net.at(0).steps[-1].before, net.at(0).hand_start
    act(net, 0)
    say(net, 0, "restart")
    assert net.at(0).hand_start == dealt_first[1]
    assert entries(net, 0, RestartEntry)
    say(net, 0, "open")
    assert all(len(seat.known) == seat.cards for seat in net.view(0).seats)
    assert net.view(0).face_up
    with pytest.raises(CommandError, match="Type 'open on' to see everyone's cards, or 'open off'"):
        net.say(0, "open", "wide")
    say(net, 0, "open", "cards", "off")
    assert not net.view(0).face_up
    with pytest.raises(CommandError, match="Who do you want to swap hands with"):
        net.say(0, "swap", "nobody")
    end(net)


def test_alone_hands_are_exchanged_with_the_only_other_seat_or_one_that_is_named() -> None:
    whist = by_hand(0, game="whist", preset="real-deal")
    for words in ((), ("nobody",), ("1",), ("Ann",)):
        with pytest.raises(CommandError) as refused:
            whist.say(0, "swap", *words)
        asked = "Who do you want to swap hands with? Give a seat or a name: 2 Betty, 3 Lizzy, 4 Granny."
        assert str(refused.value) == asked, words
    eights = by_hand(0)
    for words in ((), ("2",), ("BETTY",)):
        mine, theirs = [hand.cards for hand in eights.at(0).state.hands]
        say(eights, 0, "swap", *words)
        assert [hand.cards for hand in eights.at(0).state.hands] == [theirs, mine], words
    end(eights)


def test_with_people_nobody_restarts_exchanges_or_looks() -> None:
    net = by_hand(1)
    for i in (0, 1):
        for word in ("restart", "swap", "open"):
            with pytest.raises(CommandError, match="You can only do that alone"):
                net.say(i, word)


def test_a_game_of_version_1_is_played_as_it_was_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "Header", partial(Header, version=1))
    monkeypatch.setattr(followed_game, "NEW_GAMES", 1)
    net = by_hand(1)
    for i in (0, 1):
        with pytest.raises(CommandError, match="an older version, which can't take back moves"):
            net.say(i, "redeal")


# --- what others send -------------------------------------------------------------------------------------------------


def deliver(net: Net, i: int, message: Proposal | Vote) -> None:
    """A listener sends this to the coordinator."""
    peer = next(peer for (machine, peer), _ in net.links.items() if machine == i)
    net.carry_out(i, [Send(peer, encode_message(message))])
    net.run()


def test_a_proposal_that_could_not_be_logged_is_passed_over() -> None:
    net = by_hand(1)
    count = net.at(0).count
    for message in (
        Proposal(EntryKind.REDEAL, count - 1, 1, bytes(64)),
        Proposal(EntryKind.REDEAL, count, 0, bytes(64)),
        Vote(count, 1, bytes(64)),
        Vote(count - 1, 1, b""),
    ):
        deliver(net, 1, message)
    assert net.at(0).count == count
    assert not net.tales(0, Proposed)
    assert net.view(1).people[0].link == "here"


def test_a_player_who_asks_is_told_of_once_however_often_they_ask_and_take_it_back() -> None:
    net = by_hand(1)
    say(net, 1, "redeal")
    base = net.at(0).count
    for _ in range(20):
        deliver(net, 1, Vote(base, 1, b""))
        say(net, 1, "redeal")
    assert len(net.tales(0, Proposed)) == 1
    assert not net.tales(0, SaidNo)
    say(net, 0, "no")
    assert len(net.tales(1, SaidNo)) == 1


@pytest.mark.parametrize("forged", [b"", bytes(64)])
def test_a_forged_yes_ends_the_link(forged: bytes) -> None:
    net = by_hand(1)
    deliver(net, 1, Proposal(EntryKind.REDEAL, net.at(0).count, 1, forged))
    assert not net.tales(0, Proposed)
    assert net.view(0).people[1].link == "away"


def test_a_player_alone_is_dealt_the_same_cards_by_the_same_number() -> None:
    hands = []
    for seed in (1, 2):
        me = Me(key_of(0, seed), "Ann", "wayne")
        machine = Coordinator(me, entropy=Random(seed).randbytes, now=0.0, cast=CAST, deals=iter([1912]))
        for words in (("game", "cribbage"), ("start",)):
            machine.command(Command(words[0], words[1:]), 0.0)
        view = machine.view(0.0)
        assert view.deal == 1912
        hands.append((view.seats[0].known, view.seats[0].dealer))
    assert hands[0] == hands[1]


@pytest.mark.parametrize(
    ("key", "changes", "dealers"),
    [("pinochle2", "", [None, 0, 1, 0]), ("pinochle2", "deal_cut=true", [None] * 4), ("hearts", "", [None] * 4)],
)
def test_alone_the_lead_goes_to_and_fro_from_game_to_game_where_no_card_decides(
    key: str, changes: str, dealers: list[int | None]
) -> None:
    me = Me(key_of(0, 1), "Ann", "betty")
    machine = Coordinator(me, entropy=Random(1).randbytes, now=0.0, cast=CAST, deals=iter(range(9)), alone=True)
    words = [("game", key), *([("set", *changes.split("="))] if changes else []), ("start",)]
    for command, *arguments in words:
        machine.command(Command(command, tuple(arguments)), 0.0)
    found: list[int | None] = []
    for _ in dealers:
        assert machine.table.game is not None
        found.append(machine.table.game.position.header.first_dealer)
        machine.command(Command("end"), 0.0)
        machine.command(Command("start"), 0.0)
    assert found == dealers
