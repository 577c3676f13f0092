"""Who the twelve characters are: a few sentences about each, true to the way they play."""

from __future__ import annotations

from collections.abc import Mapping

STORIES: Mapping[str, str] = {
    "wayne": "Wayne learned cards on a beach towel and still shakes the sand out of his hand before he looks at it. "
    "He plays whatever feels right and forgets it the moment it hits the table. Ask him what's trump and he'll say "
    '"Tuesday." When you beat him, he claps, and he means it. He always packs a spare towel for whoever shows up.',
    "betty": "Betty has a ribbon from every race she ever ran, including two that went the other way. At the table she "
    "plays first and looks second. She can't tell you which cards are gone, but she was done in four seconds. Her tea "
    "is always too hot, because she can't wait for it to cool. Nobody shuffles faster, and nobody picks up more cards "
    "off the floor.",
    "lizzy": "Lizzy got lost on the way to a dance class, sat down to ask for directions and was dealt in. She stayed, "
    "because everyone was so nice about it. Now and then she holds her cards upside down and swears it brings luck. "
    "Which suit was led is anybody's guess, most of all hers. She wears a daisy so she can find her own head.",
    "chung": "Chung took up cards on a Tuesday and has filled three notebooks since. He writes down every mistake, "
    "neatly, with the date. The trouble is that he reads them after the game. His questions are good ones, usually "
    "about the trick that just went by. His big sister Luan says to give him a year.",
    "sam": "Sam sold mirrors for twenty years, mostly to himself. He deals without a rustle and has never bent a card. "
    "He knows the odds the way he knows his tailor: well, and by first name. He says a sound play every time beats a "
    "pretty one now and then, and checks whether you noticed which one he just made. Beat him, and he'll shake your "
    "hand and straighten your collar.",
    "will": "Will broke horses until a mule named Duchess broke him of hurrying. She taught him most of what he knows "
    "about holding on to a good card. He still can't stand a slow table, but he rarely throws a sure trick away. Give "
    "him a long suit and he'll run it clear to the county line. Duchess's horseshoe hangs behind his chair, and no, "
    "you can't touch it.",
    "justina": "Justina spent ten years in traffic court and has heard every excuse there is. She plays by the book, "
    "and she has read the book. Peeking is the one thing she won't forgive; a bad lead gets off with a warning. When "
    "she's about to take the last trump, one eyebrow goes up. Win or lose, she shakes hands with both sides.",
    "granny": 'Mildred taught second grade for forty-one years and still says, "Eyes on your own paper." Her plays are '
    "tidy, her math is right, and her cookies are why people really come. Children get quiet around her, and so do "
    "grown men who are holding the ace. She keeps a gold star in her purse for the best-played hand. Now and then she "
    "has had to award it to herself.",
    "john": "Papa John ran a diner where the coffee was free if you could beat him at pinochle. In thirty years he "
    "poured nine free cups. He remembers every card, every order and every birthday. He thinks a hand through to the "
    "end before his first card, then plays it like it's nothing. There's always one more chair, and there's "
    "always pie.",
    "luan": "Luan draws subway maps, and she looks at a hand of cards the way she looks at a city. Before she leads, "
    "she has ridden every line to the last stop. She won't be rushed, and she never gloats. She has never once let her "
    "little brother Chung win, because he'd find out and write it down. When her plan works, exactly one corner of her "
    "mouth goes up.",
    "george": "George judged pies at the state fair until they asked him to leave some for the other judges. He "
    "remembers every card he has seen and every sandwich he has met. Behind the napkin is a very sharp player: he "
    "weighs each card like a second helping and takes it if it's good. He'd never gloat with his mouth full, so he "
    "hardly ever gloats. Guard your chips, especially the potato kind.",
    "wendell": "Wendell kept the books for a circus and was afraid of the clowns, the lions and the popcorn machine. "
    "Numbers never scared him. He follows every card that falls and apologizes for knowing where the rest must be. "
    "He has worked out your odds too, but he'd never say so. People call him wimpy right up to the last trick, and "
    "then they ask to borrow his pencil.",
}
"""By the keys of the characters."""
