"""All cases by the programs that they judge, each with the MUSTs that it is about (protocol/musts.md).

A number is never changed, nor given to another case: a new one takes the next of its kind of program.
"""

from __future__ import annotations

from p2pcards.conform import against_coordinator as theirs
from p2pcards.conform import against_listener as them
from p2pcards.conform.bench import RUN, WEB, KitCase
from p2pcards.conform.game import THEM
from p2pcards.conform.openers import (
    KEY,
    closes_websocket,
    noncanonical_identity,
    refuses_forged_identity,
    refuses_low_order_point,
    refuses_upgrade,
    small_order_identity,
)
from p2pcards.wire.messages import Hello, Offer, Ping
from p2pcards.wire.packing import pack
from p2pcards.wire.reasons import ByeCode, CloseReason
from p2pcards.wire.records import (
    VERSION,
    AbsentEntry,
    CloseEntry,
    FaceUpEntry,
    RestartEntry,
    ReturnEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
)

NEW_HOME = frozenset({RUN})
ON_WEB = frozenset({WEB})
DEEP = b"\x91" * 4000 + b"\xc0"

LISTENER: tuple[KitCase, ...] = (
    # README.md
    KitCase(
        1,
        "RD-1",
        "HELLO of an older version gets BYE 1",
        them.hangs_up_before_hello(Hello(1, True, "Kit", "wayne"), ByeCode.OTHER_VERSION),
    ),
    KitCase(
        2,
        "RD-1",
        "HELLO of a later version gets BYE 1",
        them.hangs_up_before_hello(Hello(VERSION + 1, True, "Kit", "wayne"), ByeCode.OTHER_VERSION),
    ),
    KitCase(3, "RD-4", "a message of unknown kind ends the link", them.hangs_up_after_hello(pack([99, 1]))),
    KitCase(
        4, "RD-4", "a message with an unknown first byte ends the link", them.hangs_up_after_hello(b"\x04\x00\x00")
    ),
    KitCase(5, "RD-4", "a message with an element too many ends the link", them.hangs_up_after_hello(pack([18, 1, 1]))),
    KitCase(6, "RD-4", "a message with an element too few ends the link", them.hangs_up_after_hello(pack([22]))),
    KitCase(7, "RD-4", "an entry of unknown kind is refused", them.refuses_on_our_turn(them.make_record_of(18, None))),
    KitCase(
        8,
        "RD-4",
        "an entry with an element too many is refused",
        them.refuses_on_our_turn(them.make_record_of(4, None, 1, 0, 0)),
    ),
    KitCase(
        9,
        "RD-5",
        "a number in more bytes than it needs ends the link",
        them.hangs_up_after_hello(b"\x92\x12\xcd\x00\x07"),
    ),
    KitCase(10, "RD-5", "bytes behind the array end the link", them.hangs_up_after_hello(b"\x92\x12\x07\x00")),
    KitCase(11, "RD-6", "arrays nested 4,000 deep end the link and nothing else", them.hangs_up_after_hello(DEEP)),
    KitCase(
        12,
        "RD-6",
        "an array that claims four billion elements ends the link",
        them.hangs_up_after_hello(b"\xdd\xff\xff\xff\xff"),
    ),
    # channel.md
    KitCase(13, "CH-1", "an identity of small order is refused", refuses_forged_identity(small_order_identity)),
    KitCase(14, "CH-1", "an identity that is not canonical is refused", refuses_forged_identity(noncanonical_identity)),
    KitCase(15, "CH-1", "a key whose shared secret is zero is refused", refuses_low_order_point),
    KitCase(16, "CH-5", "it sends nothing before the opener does", them.says_nothing_first),
    # first-contact.md
    KitCase(17, "FC-1", "a caller who is refused gets one BYE and nothing else", them.gives_one_bye),
    KitCase(18, "FC-11", "WORDS is answered", them.answers_words_commitment),
    # messages.md
    KitCase(19, "MS-2", "a second OFFER is answered with the same end", them.keeps_end),
    KitCase(20, "MS-2", "an OFFER on another link is answered with the same end", them.same_end_on_another_link),
    KitCase(21, "MS-3", "a message before HELLO is refused", them.hangs_up_before_hello(Offer(bytes(16)))),
    KitCase(
        22,
        "MS-4",
        "another listener gets BYE 4",
        them.hangs_up_before_hello(Hello(VERSION, False, "Kit", "wayne"), ByeCode.SAME_ROLE),
    ),
    KitCase(23, "MS-5", "it signs over the header with what it knows put back", them.accepts_header()),
    KitCase(24, "MS-6", "it takes the name that it is given", them.accepts_header(called="Somebody 2")),
    KitCase(25, "MS-7", "it signs no other move on the same base, whatever it is answered", them.one_move_on_a_base),
    KitCase(
        26, "MS-11 MS-7", "a move that was sent survives a power failure", them.same_move_after_power_failure, NEW_HOME
    ),
    KitCase(27, "MS-8", "the header of another game over one is not taken", them.another_game_over_one),
    KitCase(28, "MS-8", "a header that names the game it breaks off is taken", them.another_game_that_names_it),
    KitCase(29, "MS-12", "TAKEN with another head is not accepted", them.answers_false_taken),
    KitCase(30, "MS-13", "after a gap in the records it asks for them", them.refuses_out_of_order(3)),
    KitCase(31, "MS-13", "a record that it has is ignored", them.refuses_out_of_order(-1)),
    KitCase(32, "MS-15", "RESUME is answered with count and head", them.answers_resume),
    KitCase(33, "MS-15", "RESUME for a game that is over is answered", them.answers_resume_of_finished_game),
    KitCase(
        34,
        "MS-15",
        "RESUME for a game that it does not have is answered with count 0",
        them.answers_resume_of_unknown_game,
    ),
    KitCase(35, "MS-26", "PING is answered by PONG with its number", them.answers_ping),
    KitCase(36, "MS-27", "nothing is kept of a game that never was", them.keeps_nothing_of_a_game_that_never_was),
    KitCase(
        37,
        "MS-28",
        "the header of a new game of version 1 is refused",
        them.refuses_header(them.header_changer(version=1)),
    ),
    KitCase(
        38, "MS-29", "called absent with its check signed, it says BYE 18", them.objects_to_false_absence, NEW_HOME
    ),
    # records.md
    KitCase(39, "RE-1", "a frame with no body is refused", them.refuses_on_our_turn(lambda _: b"\0\x40" + bytes(64))),
    KitCase(
        40,
        "RE-1 RE-5",
        "bytes behind a record are refused",
        them.refuses_on_our_turn(lambda host: bytes(host.signed(them.make_takeover(host))) + b"\0"),
    ),
    KitCase(
        41, "RE-2", "a body that could be shorter is refused", them.refuses_on_our_turn(them.overlong_number_record)
    ),
    KitCase(
        42, "RE-3", "text that is not UTF-8 is refused", them.hangs_up_after_hello(b"\x94\x14\x00\x01\xa2\xc3\x28")
    ),
    KitCase(
        43, "RE-4 RE-5", "a signature whose s is too big is refused", them.refuses_on_our_turn(them.record_with_large_s)
    ),
    KitCase(
        44,
        "RE-5",
        "an entry that somebody else signed is refused",
        them.refuses_on_our_turn(them.record_signed_by_stranger),
    ),
    KitCase(
        45,
        "RE-5",
        "an entry signed over another head is refused",
        them.refuses_on_our_turn(them.record_over_wrong_head),
    ),
    KitCase(
        46,
        "RE-5",
        "a move of its seat that we signed is refused",
        them.refuses_record(them.play_to_their_turn, them.move_for_their_seat),
    ),
    KitCase(47, "RE-5", "a card that it holds is no card of ours", them.refuses_on_our_turn(them.play_of_their_card)),
    KitCase(
        48,
        "RE-5",
        "a RETURN of a seat that it plays is refused",
        them.refuses_on_our_turn(them.make_entry(ReturnEntry, THEM)),
    ),
    KitCase(
        49, "RE-5", "a DEAL without its faces is refused", them.refuses_at_checks(them.deal_without_faces, others=0)
    ),
    KitCase(
        50,
        "RE-5",
        "nothing follows CLOSE",
        them.refuses_record(them.play_past_end, them.make_entry(TakeoverEntry, *them.BY_LOSS)),
    ),
    KitCase(
        51,
        "RE-5",
        "CLOSE as won is refused in mid-hand",
        them.refuses_on_our_turn(them.make_entry(CloseEntry, CloseReason.WON)),
    ),
    KitCase(
        52, "RE-6", "a card that the pack does not have is refused", them.refuses_on_our_turn(them.play_of_unknown_card)
    ),
    KitCase(
        53,
        "RE-7",
        "a header signed by somebody else is refused",
        them.refuses_header(them.header_of_another_coordinator, whole=True),
    ),
    KitCase(
        54,
        "RE-7",
        "a header with another end of its chain is refused",
        them.refuses_header(them.header_with_another_end, whole=True),
    ),
    KitCase(
        55,
        "RE-7",
        "a header that does not list it is refused",
        them.refuses_header(them.header_without_listener, whole=True),
    ),
    KitCase(
        56, "RE-5", "a header whose signature does not fit is refused", them.refuses_header(them.header_badly_signed)
    ),
    KitCase(
        57,
        "RE-5",
        "a header with a number out of bounds is refused",
        them.refuses_header(them.header_changer(between_hands=3601)),
    ),
    KitCase(
        58,
        "RE-9",
        "an entry on another base is refused",
        them.refuses_on_our_turn(lambda host: host.signed(them.make_takeover(host, before=1))),
    ),
    KitCase(
        59,
        "RE-10",
        "no clock runs while the table is paused",
        them.refuses_record(them.pause_game, them.make_entry(TakeoverEntry, *them.BY_LOSS)),
    ),
    KitCase(60, "RE-5", "UNDO without its yes is refused", them.refuses_on_our_turn(them.make_entry(UndoEntry))),
    KitCase(61, "RE-14", "RESTART is refused", them.refuses_on_our_turn(them.make_entry(RestartEntry))),
    KitCase(62, "RE-14", "SWAP is refused", them.refuses_on_our_turn(them.make_entry(SwapEntry, THEM))),
    KitCase(63, "RE-14", "FACE UP is refused", them.refuses_on_our_turn(them.make_entry(FaceUpEntry, True))),
    KitCase(
        64,
        "RE-15",
        "an empty OUTCOME behind a move is refused",
        them.refuses_on_our_turn(them.record_with_empty_outcome),
    ),
    # fair-deal.md
    KitCase(65, "FD-1", "its checks reveal its chain, value by value", them.sends_values_of_its_chain),
    KitCase(
        66,
        "FD-1",
        "a check of another side that does not fit its chain is refused",
        them.refuses_at_checks(them.check_of_other_side(bytes(24))),
    ),
    KitCase(
        67,
        "FD-3",
        "a DEAL is refused while somebody has not checked",
        them.refuses_at_checks(them.deal_before_checks()),
    ),
    KitCase(68, "FD-3", "a DEAL that calls them absent is refused", them.refuses_at_checks(them.deal_before_checks(2))),
    KitCase(
        69,
        "FD-4",
        "an ABSENT before the first deal is refused",
        them.refuses_at_checks(them.make_entry(AbsentEntry, 2)),
    ),
    KitCase(
        70,
        "FD-4",
        "a check without a value before the first deal is refused",
        them.refuses_at_checks(them.check_of_other_side(b"")),
    ),
    KitCase(
        71,
        "FD-5",
        "an ABSENT for the last listener on the roll is refused",
        them.refuses_record(them.play_to_end_of_hand, them.make_entry(AbsentEntry, THEM)),
    ),
    KitCase(72, "FD-7", "its check is put before the record that follows it", them.plays_whole_hand()),
    KitCase(
        73,
        "FD-8",
        "another check of a side that dropped out is refused",
        them.refuses_record(them.play_with_two_dropouts, them.check_of_other_side(), others=2),
    ),
    KitCase(
        74,
        "FD-9",
        "an ABSENT of somebody who has checked is refused",
        them.refuses_record(them.play_to_one_check, them.make_entry(AbsentEntry, 2), others=1),
    ),
    KitCase(75, "FD-12", "a card other than was dealt gives verdict 4", them.finds_other_card_than_dealt),
    KitCase(76, "FD-12", "a value of another hand gives verdict 1", them.finds_other_value),
    KitCase(77, "FD-12", "an opening that does not fit gives verdict 2", them.finds_other_salt),
    KitCase(
        78,
        "FD-12 FD-13",
        "an honest hand of hearts, with private passes, gives verdict 0",
        them.plays_whole_hand(game="hearts"),
    ),
    KitCase(79, "FD-13", "a listener without a seat checks as well", them.plays_whole_hand(seated=False, others=1)),
    # websocket.md
    KitCase(80, "WS-1", "a request of HTTP/1.0 gets no 101", refuses_upgrade(b"GET %s HTTP/1.0"), ON_WEB),
    KitCase(
        81,
        "WS-1",
        "a request without the subprotocol gets no 101",
        refuses_upgrade(drop=b"Sec-WebSocket-Protocol"),
        ON_WEB,
    ),
    KitCase(
        82,
        "WS-1",
        "a request with a body gets no 101",
        refuses_upgrade(more=b"Content-Length: 5\r\n", behind=b"hello"),
        ON_WEB,
    ),
    KitCase(
        83,
        "WS-1",
        "a request with a short key gets no 101",
        refuses_upgrade(drop=KEY, more=KEY + b": c2hvcnQ=\r\n"),
        ON_WEB,
    ),
    KitCase(84, "WS-4", "a text message gets close code 1003", closes_websocket(b"\x81\x82\0\0\0\0hi", 1003), ON_WEB),
    KitCase(85, "WS-4", "a frame without a mask gets 1002", closes_websocket(b"\x82\x02hi", 1002), ON_WEB),
    KitCase(86, "WS-4", "a reserved bit gets 1002", closes_websocket(b"\xc2\x82\0\0\0\0hi", 1002), ON_WEB),
)

COORDINATOR: tuple[KitCase, ...] = (
    # README.md
    KitCase(
        101,
        "RD-1",
        "HELLO of an older version gets BYE 1",
        theirs.hangs_up_before_hello(Hello(1, False, "Kit", "betty"), ByeCode.OTHER_VERSION),
    ),
    KitCase(
        102,
        "RD-1",
        "HELLO of a later version gets BYE 1",
        theirs.hangs_up_before_hello(Hello(VERSION + 1, False, "Kit", "betty"), ByeCode.OTHER_VERSION),
    ),
    KitCase(103, "RD-4", "a message of unknown kind ends the link", theirs.hangs_up_after_hello(pack([99, 1]))),
    KitCase(
        104, "RD-4", "a message with an unknown first byte ends the link", theirs.hangs_up_after_hello(b"\x04\x00\x00")
    ),
    KitCase(
        105, "RD-4", "a message with an element too many ends the link", theirs.hangs_up_after_hello(pack([18, 1, 1]))
    ),
    KitCase(
        106,
        "RD-5",
        "a number in more bytes than it needs ends the link",
        theirs.hangs_up_after_hello(b"\x92\x12\xcd\x00\x07"),
    ),
    KitCase(107, "RD-6", "arrays nested 4,000 deep end the link", theirs.hangs_up_after_hello(DEEP)),
    KitCase(
        108,
        "RD-6",
        "an array that claims four billion elements ends the link",
        theirs.hangs_up_after_hello(b"\xdd\xff\xff\xff\xff"),
    ),
    # channel.md
    KitCase(109, "CH-1", "an identity of small order is refused", refuses_forged_identity(small_order_identity)),
    KitCase(
        110, "CH-1", "an identity that is not canonical is refused", refuses_forged_identity(noncanonical_identity)
    ),
    # first-contact.md
    KitCase(111, "FC-5", "another key at the address of its listener is refused", theirs.another_key_at_our_address),
    KitCase(112, "FC-11", "WORDS is answered", theirs.answers_words_commitment),
    # messages.md
    KitCase(113, "MS-3", "its first message is HELLO", theirs.says_hello_first),
    KitCase(114, "MS-3", "a message before HELLO is refused", theirs.hangs_up_before_hello(Ping(7))),
    KitCase(
        115,
        "MS-4",
        "another coordinator gets BYE 4",
        theirs.hangs_up_before_hello(Hello(VERSION, True, "Kit", "betty"), ByeCode.SAME_ROLE),
    ),
    KitCase(116, "MS-5", "its header is signed with all that we put back", theirs.sends_valid_header),
    KitCase(117, "MS-14", "where several seats move at once, it logs its own first", theirs.ours_after_theirs),
    KitCase(118, "MS-17", "after a cut it sends RESUME and goes on with the game", theirs.goes_on_after_a_cut),
    KitCase(119, "MS-16", "a log of another history gets BYE 9", theirs.log_of_another_history),
    KitCase(120, "MS-16", "a log that goes further than its own gets BYE 9", theirs.longer_log),
    KitCase(
        121,
        "MS-17",
        "after a restart it makes no record before we have answered",
        theirs.waits_after_a_restart,
        NEW_HOME,
    ),
    KitCase(122, "MS-26", "PING is answered by PONG with its number", theirs.answers_ping),
    # records.md
    KitCase(
        123, "RE-1 RE-5", "bytes behind a move end the link", theirs.move_hangs_up(theirs.move_with_trailing_bytes)
    ),
    KitCase(
        124, "RE-5", "a move that somebody else signed gets BYE 5", theirs.move_hangs_up(theirs.move_signed_by_stranger)
    ),
    KitCase(125, "RE-5", "a move of another seat gets BYE 5", theirs.move_hangs_up(theirs.move_for_another_seat)),
    KitCase(
        126,
        "RE-5",
        "a card that we do not hold is refused",
        theirs.move_refused(theirs.move_of_card_not_held, theirs.WRONG),
    ),
    KitCase(
        127, "RE-5", "a private move with an opening that does not fit gets BYE 5", theirs.opening_that_does_not_fit
    ),
    KitCase(
        128, "RE-9", "a move on another base is refused", theirs.move_refused(theirs.move_on_wrong_base, theirs.LATE)
    ),
    # fair-deal.md
    KitCase(129, "FD-1", "a check that does not fit its chain is refused", theirs.refuses_check_value(bytes(24))),
    KitCase(130, "FD-3", "it does not deal before we have checked", theirs.waits_for_our_check),
    KitCase(131, "FD-4", "a check without a value before the first deal is refused", theirs.refuses_check_value(b"")),
    KitCase(132, "FD-5", "the last listener on the roll does not drop out", theirs.last_on_the_roll),
    KitCase(133, "FD-12 FD-14", "a whole hand is dealt, shown and opened as it was", theirs.plays_whole_hand),
)
