"""What a listener asks its player before it plays on: where it is called absent though it has signed its check, and
where a game goes on of which no log is here. The coordinator is hung up on until the player has said yes."""

from __future__ import annotations

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import PlaysOn, note_payload
from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import Effect, Remember, Tell, UseLog
from p2pcards.session.listener_table import ListenerTable
from p2pcards.session.lost_game import LostGame
from p2pcards.views.doubts import GameWithoutLog, LeftOutOfDeal
from p2pcards.wire.messages import RecordMessage, Resume


def doubt_absence(table: ListenerTable) -> list[Effect]:
    """After a record: if it calls me absent, who has signed a check, the player is asked."""
    note = table.game.left_out() if table.game else None
    if note is None or table.game is None:
        return []
    return [Remember(note_payload(note)), *_ask_about_absence(table, table.game.follower, note.here)]


def resume(table: ListenerTable, said: Resume, now: float) -> list[Effect]:
    """A game goes on; also after a restart nothing is played in it before the player has answered. Raises Refused."""
    follower = table.followed(said.game_id)
    if follower is None or follower.unanswered is None or follower.position.phase is Phase.CLOSED:
        return table.resume(said, now)
    if not table.doubt.spend(said.game_id):
        return _ask_about_absence(table, follower, here=False)
    note = PlaysOn(follower.unanswered)
    follower.remember_note(note)
    log = UseLog(follower.position.game.key, said.game_id, new=False)
    return [log, Remember(note_payload(note)), *table.resume(said, now)]


def take_of_lost(table: ListenerTable, game: LostGame, said: RecordMessage) -> list[Effect]:
    """A record of a game of which there is no log here. The player is asked once it is known to be one that this side
    has begun. Raises Refused."""
    if not game.take(said):
        return []
    table.doubt.arise(table.link.key, table.link.name, game.game_id)
    return [Tell(GameWithoutLog(table.link.name, game.name)), *table.hang_up_in_doubt()]


def _ask_about_absence(table: ListenerTable, follower: LedgerFollower, here: bool) -> list[Effect]:
    """here: I was here all the time; otherwise my check may have been lost with an older line."""
    table.doubt.spend(follower.position.game_id)
    table.doubt.arise(table.link.key, table.link.name, follower.position.game_id)
    told = LeftOutOfDeal(table.link.name, here, table.times_left_out())
    return [Tell(told), *table.hang_up_in_doubt()]
