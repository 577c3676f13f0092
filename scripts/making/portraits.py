"""The faces of the twelve characters: flat shapes of SVG, 100 wide and 100 high, each a tag with its attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from p2pcards.players.characters import CHARACTERS

Shape = tuple[str, Mapping[str, str]]

SIZE, ACROSS, GAP = 100, 4, 12
"""Of a portrait; of a sheet with all of them, how many stand in a row, and between two."""
NAME = 16
"""Height of a name below a portrait."""


def _path(d: str, fill: str, **more: str) -> Shape:
    return "path", {"d": d, "fill": fill, **_attributes(more)}


def _line(d: str, stroke: str, width: float = 2, **more: str) -> Shape:
    drawn = {"fill": "none", "stroke": stroke, "stroke-width": f"{width:g}", "stroke-linecap": "round"}
    return "path", {"d": d, **drawn, "stroke-linejoin": "round", **_attributes(more)}


def _dot(x: float, y: float, r: float, fill: str, **more: str) -> Shape:
    return "circle", {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{r:g}", "fill": fill, **_attributes(more)}


def _oval(x: float, y: float, rx: float, ry: float, fill: str, **more: str) -> Shape:
    at = {"cx": f"{x:g}", "cy": f"{y:g}", "rx": f"{rx:g}", "ry": f"{ry:g}"}
    return "ellipse", {**at, "fill": fill, **_attributes(more)}


def _attributes(more: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in more.items()}


# --- what all of them have --------------------------------------------------------------------------------------------


DARK = "#2b2320"
WHITE = "#fbf7ef"


def _backdrop(colour: str) -> list[Shape]:
    return [_dot(50, 50, 50, colour)]


def _shoulders(colour: str, wide: float = 34) -> list[Shape]:
    """Down to the edge of the round backdrop."""
    left, right = 50 - wide, 50 + wide
    return [_path(f"M{left:g} 88C{left + 1:g} 76 {left + 13:g} 73 50 72C{right - 13:g} 73 {right - 1:g} 76 {right:g} 88"
                  f"C{right - 9:g} 96 60 100 50 100C40 100 {left + 9:g} 96 {left:g} 88Z", colour)]  # fmt: skip


def _head(skin: str, shade: str, wide: float = 19, high: float = 23, down: float = 46) -> list[Shape]:
    """Neck, ears and face."""
    neck = _path(f"M42 {down + high - 8:g}H58V74Q50 81 42 74Z", shade)
    ears = [_oval(50 + side * wide, down + 2, 4, 5.5, shade) for side in (-1, 1)]
    return [neck, *ears, _oval(50, down, wide, high, skin)]


def _eyes(colour: str = DARK, apart: float = 8, row: float = 46, size: float = 2.3) -> list[Shape]:
    shine = [_dot(50 + side * apart + 0.8, row - 0.8, 0.7, WHITE) for side in (-1, 1)]
    return [*[_oval(50 + side * apart, row, size, size * 1.25, colour) for side in (-1, 1)], *shine]


def _happy_eyes(apart: float = 8, row: float = 46) -> list[Shape]:
    """Shut, as one laughs."""
    return [_line(f"M{50 + side * apart - 3.4:g} {row + 1:g}q3.4-4 6.8 0", DARK, 2) for side in (-1, 1)]


def _brows(colour: str, row: float = 40, apart: float = 8, rise: float = 0, width: float = 2) -> list[Shape]:
    """rise: of their inner ends, in units; above 0 for who is worried."""
    places = [(50 + side * (apart + 4), 50 + side * apart, 50 + side * (apart - 4)) for side in (-1, 1)]
    return [
        _line(f"M{outer:g} {row + 0.6:g}Q{middle:g} {row - 1.8:g} {inner:g} {row - rise:g}", colour, width)
        for outer, middle, inner in places
    ]


def _nose(shade: str, row: float = 52) -> list[Shape]:
    return [_line(f"M50 {row - 4:g}Q53.4 {row:g} 49.4 {row + 0.6:g}", shade, 1.8)]


def _smile(row: float = 58, wide: float = 6, deep: float = 4, colour: str = "#7a2f2a") -> list[Shape]:
    return [_line(f"M{50 - wide:g} {row:g}Q50 {row + deep * 1.6:g} {50 + wide:g} {row:g}", colour, 2)]


def _grin(row: float = 56.5, wide: float = 8, deep: float = 7) -> list[Shape]:
    half = wide - 0.8
    lower = f"q-1 {deep:g} {-wide:g} {deep:g}q{1 - wide:g} 0 {-wide:g} {-deep:g}z"
    mouth = f"M{50 - wide:g} {row:g}q{wide:g} 2 {2 * wide:g} 0{lower}"
    teeth = f"M{50 - half:g} {row + 0.6:g}q{half:g} 1.8 {2 * half:g} 0l-1.2 2.4q{2 - wide:g} 1.6 {4 - 2 * wide:g} 0z"
    return [_path(mouth, "#7a2f2a"), _path(teeth, WHITE)]


def _blush(colour: str, row: float = 53.5, apart: float = 12, size: float = 3.6) -> list[Shape]:
    return [_dot(50 + side * apart, row, size, colour, opacity="0.5") for side in (-1, 1)]


def _glasses(colour: str, size: float = 6.2, row: float = 46, apart: float = 8.2, width: float = 1.6) -> list[Shape]:
    rims = [
        ("circle", {"cx": f"{50 + side * apart:g}", "cy": f"{row:g}", "r": f"{size:g}", "fill": "#ffffff",
                    "fill-opacity": "0.25", "stroke": colour, "stroke-width": f"{width:g}"})
        for side in (-1, 1)
    ]  # fmt: skip
    return [
        *rims,
        _line(f"M{50 - apart + size:g} {row - 1:g}Q50 {row - 3:g} {50 + apart - size:g} {row - 1:g}", colour, width),
    ]


# --- the twelve -------------------------------------------------------------------------------------------------------


def _wayne() -> Iterator[Shape]:
    """A surfer: sun-bleached mop, a stripe of zinc on the nose, a shell on a string."""
    yield from _backdrop("#7cc7d9")
    yield _path("M1.5 62Q12 55 25 61T50 61T75 61T99 60A50 50 0 0 1 1.5 62Z", "#3f93b5")
    yield _path("M27 46C22 24 40 12 54 15C70 13 80 27 74 48C78 58 72 64 69 60L31 60C26 63 22 56 27 46Z", "#d9a441")
    yield from _shoulders("#e2574c")
    for x, y in ((28, 86), (40, 93), (61, 92), (73, 85)):
        yield from [
            _dot(x + dx, y + dy, 2, "#ffe9a8")
            for dx, dy in ((0, -2.6), (2.5, -0.8), (1.5, 2.1), (-1.5, 2.1), (-2.5, -0.8))
        ]
        yield _dot(x, y, 1.6, "#f2b134")
    yield from _head("#dca277", "#c48759")
    yield _line("M42 74Q50 82 58 74", WHITE, 1.4)
    yield _path("M50 77.5l-2.6 4.2q2.6 2.4 5.2 0z", WHITE)
    yield _path(
        "M30 42C30 27 42 21 52 25C62 20 72 30 70 42C66 38 66 33 60 34C54 36 52 31 46 34C40 36 36 34 30 42Z",
        "#edc15c",
    )
    yield from _happy_eyes()
    yield from _brows("#b9822f", 39.5)
    yield from _nose("#b47748")
    yield _line("M45.5 50.6Q50 49.4 54.5 50.6", WHITE, 3.2)
    yield from _grin()


def _betty() -> Iterator[Shape]:
    """A runner: red ponytail that flies, freckles, a whistle."""
    yield from _backdrop("#f6d7c4")
    yield _path("M66 30C82 20 96 30 92 46C90 40 84 40 80 44C84 48 84 56 78 60C78 50 72 44 66 42Z", "#c8442b")
    yield from _shoulders("#2f6f8f")
    yield _path("M50 72L43 74L50 100L57 74Z", WHITE)
    yield _line("M27 80L31 95M73 80L69 95", WHITE, 2.4)
    yield from _head("#f4c9a8", "#dfab86", 18, 22)
    yield _path("M30 47C28 28 38 19 52 20C66 19 74 30 70 47C68 38 62 33 50 33C38 33 33 38 30 47Z", "#d9532f")
    yield _path("M30.4 38C38 29 62 29 69.6 38L70.4 42C62 34 38 34 29.6 42Z", "#f2c14e")
    yield from _eyes("#3c6b4a")
    yield from _brows("#a83a20", 40.4)
    for x, y in ((39, 52), (42, 54.4), (37.6, 55), (61, 52), (58, 54.4), (62.4, 55)):
        yield _dot(x, y, 0.8, "#c27e55")
    yield from _nose("#cf9570")
    yield from _grin(57, 6, 5)
    yield _line("M43 75Q50 86 57 75", "#e8b23a", 1.4)
    yield _path("M47 83h7.5v2.2l-2 1.4a3.4 3.4 0 1 1-5.5-3.6z", "#e8b23a")


def _lizzy() -> Iterator[Shape]:
    """Curls in all directions, round glasses that sit askew, a daisy."""
    yield from _backdrop("#d9cdf0")
    curls = (
        (26, 38, 11),
        (32, 25, 12),
        (46, 18, 12),
        (60, 19, 12),
        (71, 28, 12),
        (76, 42, 11),
        (24, 52, 10),
        (77, 56, 10),
        (29, 64, 8),
        (72, 67, 8),
    )
    yield from [_dot(x, y, r, "#7b4a86") for x, y, r in curls]
    yield from _shoulders("#f0b84a")
    yield from [_dot(x, y, 2.4, "#d4608a") for x, y in ((28, 85), (38, 91), (50, 94), (62, 91), (72, 85))]
    yield from _head("#f7d3b5", "#e2b591", 18, 21.5, 47)
    yield from [_dot(x, y, r, "#8d5a98") for x, y, r in ((36, 31, 7), (46, 28, 7), (56, 28, 7), (65, 33, 6))]
    yield from _eyes(row=47)
    yield from [(tag, {**shape, "transform": "rotate(-9 50 47)"}) for tag, shape in _glasses("#2e7d7a", 7, 47, 8.6, 2)]
    yield from _nose("#d29f79", 53)
    yield from _blush("#ef8fa0", 55.5)
    yield _path("M45 59.4Q50 57.6 55 59.4Q54.4 65.6 50 65.6Q45.6 65.6 45 59.4Z", "#8a3340")
    yield from [
        _oval(73 + x, 27 + y, 3, 3, WHITE) for x, y in ((0, -4.6), (4.4, -1.4), (2.7, 3.7), (-2.7, 3.7), (-4.4, -1.4))
    ]
    yield _dot(73, 27, 2.8, "#f2b134")


def _chung() -> Iterator[Shape]:
    """A beginner with a pencil behind his ear and a notebook."""
    yield from _backdrop("#cfe6c8")
    yield from _shoulders("#3f7d58")
    yield _path("M42 73L50 82L58 73L61 76L50 90L39 76Z", WHITE)
    yield from _head("#eec39a", "#d6a376", 18.5, 22)
    yield _path(
        "M31 45C29 27 38 18 50 18C62 18 71 27 69 45C67 40 66 36 63 33C56 36 44 35 39 31C35 34 33 39 31 45Z",
        "#23211f",
    )
    yield _path("M46 19C44 13 50 11 53 13C51 14 51 17 52 19Z", "#23211f")
    yield from _eyes()
    yield from _brows("#23211f", 40.2, rise=0.6)
    yield from _nose("#c08c60")
    yield from _grin(57, 6.4, 5)
    yield from _blush("#e79a7a", 54, 12, 3)
    yield _line("M66 39L80 31", "#f2b134", 3.4)
    yield _line("M80 31L83 29.4", DARK, 2.2)
    yield _path("M60 80L79 77L82 95Q74 98 64 99Z", "#5a86b8")
    yield _line("M64.6 84L76 82.2M65.4 89L76.8 87.2", WHITE, 1.6)


def _sam() -> Iterator[Shape]:
    """Hair that shines, a thin moustache, a bow tie."""
    yield from _backdrop("#b9c4d6")
    yield from _shoulders("#22283a", 36)
    yield _path("M40 73L50 98L60 73Z", WHITE)
    yield _path("M40 73L34 79L46 96L50 98ZM60 73L66 79L54 96L50 98Z", "#343c56")
    yield _path("M50 80L41 75.6V86ZM50 80L59 75.6V86Z", "#b3273a")
    yield _dot(50, 80.4, 2, "#8c1c2d")
    yield from _head("#efc7a2", "#d6a67c", 17.5, 23)
    yield _path("M32 44C28 24 40 15 52 16C66 16 73 27 68 44C67 36 64 31 58 29C48 28 38 32 32 44Z", "#1d1a1c")
    yield _line("M40 24Q49 18.4 60 22", "#6d7390", 2)
    yield from _eyes("#33445f")
    yield from _brows("#1d1a1c", 39.6, rise=-0.6)
    yield from _nose("#c9956b")
    yield _path(
        "M50 56.4C46 54.6 43 57.4 40.6 56.6C43.4 60 47.6 58.8 50 57.6"
        "C52.4 58.8 56.6 60 59.4 56.6C57 57.4 54 54.6 50 56.4Z",
        "#1d1a1c",
    )
    yield _line("M46 61.4Q51.6 64.4 55.4 60.4", "#7a2f2a", 1.8)


def _will() -> Iterator[Shape]:
    """A wide hat, stubble, a bandanna."""
    yield from _backdrop("#f0c98a")
    yield _path("M.7 58Q20 44 38 56T74 52T99.6 56A50 50 0 0 1 .7 58Z", "#d59a5b")
    yield from _shoulders("#6d7f4b", 36)
    yield from _head("#d9a27a", "#bf8760", 18.5, 23, 48)
    yield _path(
        "M32 51C32 66 40 71 50 71C60 71 68 66 68 51C66 59 60 56.4 50 56.4C40 56.4 34 59 32 51Z",
        "#8a6a55",
        opacity="0.55",
    )
    yield from _eyes(row=47)
    yield from _brows("#5b3a24", 41.4, rise=-1.4, width=2.6)
    yield from _nose("#ac7650", 53.4)
    yield _line("M44 60.4Q51 65.6 57 59.6", "#6b2b24", 2)
    yield _path("M32 71Q50 79 68 71L64 79Q57 81 52 95Q48 95 47 81Q38 80 35.6 78Z", "#b8342b")
    yield from [_dot(x, y, 1, WHITE) for x, y in ((40, 77), (47, 79.6), (55, 79.4), (61, 76.6), (50, 87))]
    yield _path("M34 33C33 17 40 12 46 15Q50 18 54 15C60 12 67 17 66 33Z", "#7a4a26")
    yield _path("M34 28H66V34H34Z", "#4c2c14")
    yield _path("M14 34C24 42 36 32.6 50 32.6C64 32.6 76 42 86 34C80 45 64 41 50 40.4C36 41 20 45 14 34Z", "#8c562d")


def _justina() -> Iterator[Shape]:
    """A judge's collar, hoops in her ears, hair in a high bun."""
    yield from _backdrop("#e3d3b8")
    yield _dot(50, 14, 11, "#231815")
    yield _path("M29 48C25 26 38 18 50 18C62 18 75 26 71 48Z", "#231815")
    yield from _shoulders("#2a2530", 36)
    yield _path("M42 73L50 77L58 73L61 84L55 98H45L39 84Z", WHITE)
    yield _line("M50 78V97M44.6 80L47 96M55.4 80L53 96", "#d5cfc2", 1.2)
    yield from _head("#8d5a3b", "#754729", 18, 22)
    yield _path(
        "M31.6 43C33 30 41 25 50 25C59 25 67 30 68.4 43C63 36 57 33.4 50 33.4C43 33.4 37 36 31.6 43Z",
        "#2f211b",
    )
    yield from _eyes()
    yield from _brows("#1d1310", 39.8, rise=-0.4)
    yield from _nose("#67401f")
    yield from _smile(58.4, 6.4, 4, "#5c1d1b")
    for side in (-1, 1):
        yield (
            "circle",
            {
                "cx": f"{50 + side * 19.4:g}",
                "cy": "56",
                "r": "3.6",
                "fill": "none",
                "stroke": "#e8b23a",
                "stroke-width": "1.8",
            },
        )


def _granny() -> Iterator[Shape]:
    """A teacher: white bun, half glasses on a chain, an apple."""
    yield from _backdrop("#cfe0ee")
    yield _dot(50, 17, 9, "#f1eff2")
    yield _path("M28 50C24 28 36 20 50 20C64 20 76 28 72 50C70 58 66 60 66 54L34 54C34 60 30 58 28 50Z", "#f1eff2")
    yield from _shoulders("#8e5f9b")
    yield _path("M43 73L50 80L57 73L60 77L50 88L40 77Z", "#f6e6f0")
    yield _dot(50, 85, 2.8, "#e8b23a")
    yield from _head("#f4cfb4", "#dfb292", 18, 21.5, 47)
    yield _path("M31 46C32 32 41 27 50 29C59 27 68 32 69 46C64 38 58 36 50 37C42 36 36 38 31 46Z", "#ffffff")
    yield from _eyes("#4a6a8c", row=47)
    yield from _brows("#cfcbd4", 41)
    yield _line("M36.6 49.6q5 6 10.4 0zM53 49.6q5.4 6 10.4 0zM47 49.6q3-1.4 6 0", "#6b5a3a", 1.5)
    yield _line("M36.6 49.6Q27 60 34 74M63.4 49.6Q73 60 66 74", "#c9a24a", 0.9)
    yield from _nose("#cf9d7c", 54.4)
    yield from _blush("#ee9c98", 55.6)
    yield from _smile(59.4, 6, 3.6)
    yield _path("M74 78C69 74 64 79 66 86C68 93 72 94 74 92.4C76 94 80 93 82 86C84 79 79 74 74 78Z", "#c8352e")
    yield _line("M74 78Q74 73.6 77 72", "#5b3a24", 1.8)
    yield _path("M76 75Q80 71 83 74Q80 78 76 75Z", "#5f9a4c")


def _john() -> Iterator[Shape]:
    """A cook of long standing: grey beard, a paper cap, braces."""
    yield from _backdrop("#e9b99a")
    yield from _shoulders("#c94f3f", 37)
    yield _line("M22 81H78M20 88H80M34 75V94M50 76V99M66 75V94", "#8f2d24", 1.2, opacity="0.7")
    yield _line("M35 75L37 94M65 75L63 94", "#3b3a44", 4)
    yield from _head("#c98e66", "#b0744d", 20, 23)
    yield _path(
        "M29.6 45C30 62 36 75 50 76C64 75 70 62 70.4 45C68 53 62 53.4 56 53.4Q50 51.6 44 53.4C38 53.4 32 53 29.6 45Z",
        "#d9d6d0",
    )
    yield from _happy_eyes(8, 45)
    yield from _brows("#efece6", 38.6, width=3)
    yield _oval(50, 51.6, 3.8, 3.2, "#b9774f")
    yield _path(
        "M50 55.4C44 53.4 39.6 57 38.6 60.4C43 62 47.6 60.6 50 58.2C52.4 60.6 57 62 61.4 60.4C60.4 57 56 53.4 50 55.4Z",
        "#f3f1ec",
    )
    yield _path("M45 61.6Q50 66 55 61.6Q50 63 45 61.6Z", "#7a2f2a")
    yield _path("M30 34Q50 26 70 34L67 18Q50 11 33 18Z", WHITE)
    yield _path("M29.4 36Q50 27.4 70.6 36L69.6 30Q50 22 30.4 30Z", "#e6e1d6")


def _luan() -> Iterator[Shape]:
    """A planner: a smooth bob, a jade pin, half a smile."""
    yield from _backdrop("#bcdcd3")
    yield _path("M28 66C22 40 26 17 50 17C74 17 78 40 72 66C68 68 64 67 62 64L38 64C36 67 32 68 28 66Z", "#1f1d24")
    yield from _shoulders("#33508a")
    yield _path("M41 71Q50 76 59 71L60 78Q50 83 40 78Z", "#263e6e")
    yield _line("M50 80V98", "#1c2f55", 1.4)
    yield from [_dot(50, y, 1.5, "#8ed1b0") for y in (84, 90, 96)]
    yield from _head("#f1cba6", "#dbab82", 17.5, 21.5, 47)
    yield _path(
        "M31 52C29 32 38 24 50 24C62 24 71 32 69 52C66 44 65 40 64.4 36Q50 41 35.6 36C35 40 34 44 31 52Z",
        "#24222a",
    )
    yield from _eyes(row=48)
    yield from _brows("#24222a", 42.4)
    yield from _nose("#c7946b", 54)
    yield _line("M45 60.4Q51 62.6 55.6 58.6", "#93303a", 2)
    yield _line("M64 25L79 17", "#4c9f7c", 3)
    yield _dot(80.4, 16.2, 3.6, "#67c29a")


def _george() -> Iterator[Shape]:
    """Round and rosy, a napkin under his chins, a fork at the ready."""
    yield from _backdrop("#f3dd9c")
    yield from _shoulders("#6a8f4e", 41)
    yield from _head("#f4c5a0", "#e0a67d", 24, 24, 48)
    yield _path("M32 62Q50 78 68 62Q66 75 50 76Q34 75 32 62Z", "#e9b48d")
    yield _path("M26 42C27 24 40 18 50 20C62 17 74 26 74 42C70 34 62 30 54 31C46 29 32 32 26 42Z", "#8b5a2e")
    yield from _eyes("#4f3a28", 9, 45, 2.1)
    yield from _brows("#8b5a2e", 39.4, 9)
    yield _oval(50, 52, 3.6, 3, "#e59a7d")
    yield from _blush("#ec7f6a", 55, 14, 5)
    yield from _grin(58, 8.4, 6.6)
    yield _path("M32 72Q50 82 68 72L64 84Q58 92 50 98Q42 92 36 84Z", WHITE)
    yield _line("M40 82L44 88M60 80L55 88", "#d6d0c4", 1.4)
    yield _line("M82 95V74M78 62V70Q78 74 82 74Q86 74 86 70V62M82 62V72", "#9aa3ab", 2.2)


def _wendell() -> Iterator[Shape]:
    """Large glasses, brows that worry, a pencil."""
    yield from _backdrop("#d8d5c6")
    yield from _shoulders("#7d6b9e", 30)
    yield _path("M41 73L50 90L59 73L62 76L50 98L38 76Z", "#e9e4f2")
    yield _path("M50 79L43 75.6V83.4ZM50 79L57 75.6V83.4Z", "#b8832d")
    yield from _head("#f6dcc4", "#dfbb9c", 15.5, 24, 45)
    yield _path(
        "M34 40C31 22 42 16 50 17C60 15 69 23 66 40C64 34 62 31 58 30C51 32 43 30 40 28C36 31 35 35 34 40Z",
        "#a8703c",
    )
    yield _line("M52 18Q54 10 60 11", "#a8703c", 2.6)
    yield from _eyes("#3f4a5c", 7.4, 46, 2)
    yield from _glasses("#31353d", 7, 46, 8, 2)
    yield from _brows("#8a5a2c", 36.4, 8, rise=2.6)
    yield from _nose("#d2a483", 54)
    yield _line("M44.6 61.4Q47 59.4 50 60.8T55.4 60.4", "#8a4038", 1.8)
    yield _line("M24 97L33 78", "#f2b134", 3.4)
    yield _line("M33 78L34.4 75", DARK, 2.2)


DRAWN = {
    "wayne": _wayne, "betty": _betty, "lizzy": _lizzy, "chung": _chung, "sam": _sam, "will": _will,
    "justina": _justina, "granny": _granny, "john": _john, "luan": _luan, "george": _george, "wendell": _wendell,
}  # fmt: skip


def portraits() -> dict[str, Sequence[Shape]]:
    """By the keys of the characters."""
    return {key: tuple(DRAWN[key]()) for key in CHARACTERS}


# --- as files ---------------------------------------------------------------------------------------------------------


def sheet() -> str:
    """All of them as one drawing, each with its name below it."""
    cell, rows = SIZE + GAP, -(-len(CHARACTERS) // ACROSS)
    wide, high = ACROSS * cell + GAP, rows * (cell + NAME) + GAP
    drawn = [
        f'<g transform="translate({GAP + number % ACROSS * cell} {GAP + number // ACROSS * (cell + NAME)})">'
        f"{''.join(map(_markup, shapes))}"
        f'<text x="{SIZE // 2}" y="{SIZE + NAME}" text-anchor="middle" font-family="sans-serif" font-size="11" '
        f'fill="#444444">{escape(CHARACTERS[key].name)}</text></g>'
        for number, (key, shapes) in enumerate(portraits().items())
    ]
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">'
    return "\n".join([opening, *drawn, "</svg>\n"])


def _markup(shape: Shape) -> str:
    tag, attributes = shape
    named = [f'{name}="{escape(value)}"' for name, value in attributes.items()]
    return f"<{' '.join([tag, *named])}/>"
