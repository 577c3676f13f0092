"""Addresses as people type them, and the one way to write each."""

from __future__ import annotations

import re
from time import process_time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links.address import (
    BadAddress,
    canonical,
    format_address,
    lasting,
    link_to,
    on_one_line,
    parse_address,
    parse_web,
    text_of_link,
)
from p2pcards.wire.address import is_onion
from p2pcards.wire.invitation import is_for_watching, link_for_watching
from p2pcards.wire.spoken import FIRST, SECOND, BadCode, read_code

SECRET = "grcuyo5tugdhpbj2fyqgvqsxnre3cg3xk7rc5a7cky"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("anna.example.org", ("anna.example.org", 4747)),
        (" anna:5000 ", ("anna", 5000)),
        ("192.0.2.7", ("192.0.2.7", 4747)),
        ("192.0.2.7:1", ("192.0.2.7", 1)),
        ("::1", ("::1", 4747)),
        ("[::1]", ("::1", 4747)),
        ("[::1]:65535", ("::1", 65535)),
        ("fe80::1%eth0", ("fe80::1%eth0", 4747)),
        ("[fe80::1%eth0]:4747", ("fe80::1%eth0", 4747)),
        ("bücher.example:4747", ("bücher.example", 4747)),
        ("my_machine", ("my_machine", 4747)),
    ],
)
def test_addresses(text: str, expected: tuple[str, int]) -> None:
    assert parse_address(text) == expected


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        (":4747", "isn't a host name"),
        ("anna:", "isn't a port"),
        ("anna:0", "1 to 65535"),
        ("anna:65536", "1 to 65535"),
        ("anna:-1", "isn't a port"),
        ("anna:４７", "isn't a port"),
        ("anna:http", "isn't a port"),
        ("a:b:c", "too many colons"),
        ("[anna]:4747", "isn't an IPv6 address"),
        ("[::1]4747", "too many colons"),
        ("[::1]:", "isn't a port"),
        ("-oProxyCommand=reboot", "isn't a host name"),
        ("anna ben", "isn't a host name"),
        ("anna\x1b[2J", "isn't a host name"),
        ("http://anna", "isn't a port"),
        ("a" * 300, "isn't a host name"),
        ("::1%", "too many colons"),
        ("fe80::1%-o", "too many colons"),
    ],
)
def test_bad_addresses(text: str, sentence: str) -> None:
    with pytest.raises(BadAddress, match=sentence) as caught:
        parse_address(text)
    assert "\x1b" not in str(caught.value)


@given(st.text())
def test_any_text_is_an_address_or_a_sentence(text: str) -> None:
    try:
        host, port = parse_address(text)
    except BadAddress as bad:
        assert str(bad).isprintable()
    else:
        assert parse_address(format_address(host, port)) == (host, port)
        assert not host.startswith("-")


@given(
    st.ip_addresses() | st.from_regex(r"[a-z][a-z0-9-]{0,20}(\.[a-z]{2,5}){0,2}", fullmatch=True), st.integers(1, 65535)
)
def test_addresses_come_back(host: object, port: int) -> None:
    assert parse_address(format_address(str(host), port)) == (str(host), port)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" anna ", "anna:4747"),
        ("::1", "[::1]:4747"),
        ("tel:(555) 12-34", "tel:5551234"),
        (" cable: /dev/ttyS0 ", "cable:/dev/ttyS0"),
        (" 48213 Crossword clockwork", "meet:48213"),
        ("meet: 48213", "meet:48213"),
        ("meet:ABCD-efgh-2345-mnop", "meet:abcd-efgh-2345-mnop"),
        (f"meet: {SECRET.upper()}", f"meet:{SECRET}"),
        (f"https://cards.example/#{SECRET}", f"meet:{SECRET}"),
    ],
)
def test_each_address_is_written_in_one_way(text: str, expected: str) -> None:
    assert canonical(text) == expected == canonical(expected)
    assert lasting(text) == ("" if expected.startswith(("cable:", "meet:4", f"meet:{SECRET}")) else expected)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tel:", "number"),
        ("cable: ", "Which serial device"),
        ("a b", "isn't a host name"),
        ("meet:Anna", "'anna' isn't the five-digit number of a code"),
        ("meet:9999", "isn't the five-digit number of a code"),
        ("meet:09999", "isn't the five-digit number of a code"),
        ("7-crossword-clockwork", "needs an address too"),
        (f"meet:{SECRET[:-1]}", "Part of this link is missing"),
        (f"https://cards.example/ann/#{SECRET[:30]}", "Part of this link is missing"),
        (f"meet:{SECRET[:-1]}b", "Part of this link is missing"),
    ],
)
def test_what_is_no_address_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadAddress, match=sentence):
        canonical(text)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("48213-crossword-clockwork", ("meet:48213", "48213-crossword-clockwork")),
        ("(48213‑Crossword‑clockwork).", ("meet:48213", "48213-crossword-clockwork")),
        ("48213-crosword-clockwork", ("meet:48213", "48213-crosword-clockwork")),
        ("48213-crossword", ("meet:48213", "48213-crossword")),
        ("10-pc", ("10-pc", "")),
        ("3.example.org", ("3.example.org", "")),
    ],
)
def test_a_code_alone_says_where_to_meet(typed: str, expected: tuple[str, str]) -> None:
    assert text_of_link(typed) == expected


# --- WebSockets, and links --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected", "parts"),
    [
        ("ws://anna.example.org", "ws://anna.example.org:80", (False, "anna.example.org", 80, "/table")),
        ("ws://192.0.2.7:4747", "ws://192.0.2.7:4747", (False, "192.0.2.7", 4747, "/table")),
        ("ws://192.0.2.7:4747/", "ws://192.0.2.7:4747", (False, "192.0.2.7", 4747, "/table")),
        ("ws://192.0.2.7:4747/table", "ws://192.0.2.7:4747", (False, "192.0.2.7", 4747, "/table")),
        ("wss://example.org", "wss://example.org:443", (True, "example.org", 443, "/table")),
        ("wss://example.org/ann/table", "wss://example.org:443/ann/table", (True, "example.org", 443, "/ann/table")),
        ("ws://[::1]:80/x", "ws://[::1]:80/x", (False, "::1", 80, "/x")),
        ("ws://::1", "ws://[::1]:80", (False, "::1", 80, "/table")),
    ],
)
def test_an_address_of_a_websocket(text: str, expected: str, parts: tuple[bool, str, int, str]) -> None:
    assert canonical(text) == expected == canonical(expected) == lasting(text)
    found = parse_web(text)
    assert (found.secure, found.host, found.port, found.path) == parts


@pytest.mark.parametrize(
    "text",
    [
        "ws://",
        "ws:///table",
        "ws://a b",
        "ws://a:99999",
        "ws://a/x y",
        "ws://a/?x",
        "wss://a/#x",
        "ws://a@b/",
        "ws://-a/",
    ],
)
def test_what_is_no_address_of_a_websocket(text: str) -> None:
    with pytest.raises(BadAddress):
        canonical(text)


@pytest.mark.parametrize(
    ("link", "address", "code"),
    [
        ("http://192.0.2.7:4747/#7-acorn-zebra", "ws://192.0.2.7:4747", "7-acorn-zebra"),
        ("http://192.0.2.7:4747#7-acorn-zebra", "ws://192.0.2.7:4747", "7-acorn-zebra"),
        ("HTTP://192.0.2.7:4747", "ws://192.0.2.7:4747", ""),
        ("http://[2001:db8::1]:4747/?from=post#7-acorn-zebra", "ws://[2001:db8::1]:4747", "7-acorn-zebra"),
        ("https://cards.example/ann/index.html#7-acorn-zebra", "wss://cards.example:443/ann/table", "7-acorn-zebra"),
        ("https://cards.example/ann/", "wss://cards.example:443/ann/table", ""),
    ],
)
def test_a_link_is_the_address_of_its_table_and_its_code(link: str, address: str, code: str) -> None:
    assert (canonical(link), text_of_link(link)[1]) == (address, code)


HOSTS = ("192.0.2.7:4747", "[2001:db8::1]:4747", "anna-laptop.example.org:4747")
BEFORE = (
    "",
    " ",
    "<",
    "(",
    '"',
    "“",
    "> ",
    "\u200b",
    "\ufeff",
    "*",
    "Come! ",
    "Sit down at ",
    "[our table](",
    "Join me:\n",
    "Our rules: https://cards.example/#rules\nand the table: ",
)
BEHIND = (
    *("", " ", ".", "...", "…", ")", "),", "/", ">", '"', "”", "'", "!", "*", "_", "\u200b", "\u2060\n", "]", "|"),
    *(
        "&fbclid=IwAR0_x-1",
        "?utm_source=post&x=7-b-c",
        ":~:text=sit%20down",
        " See you at 8!",
        ", or call me",
        "\n-- \nAnn",
        "\n> Sent from a telephone",
        "See you at 8!",
        "8 pm, as always",
    ),
)
DASHES = ("-", "\u2013", "\u2014", "\u2011", "\u2212", "%E2%80%93", "\u200b-", "-\n")


@given(
    st.sampled_from(HOSTS),
    st.sampled_from(["http://", "HTTP://", "", "//"]),
    st.sampled_from(["/", "", "/?fbclid=IwAR0", "/index.html"]),
    st.sampled_from(["#", "%23"]),
    st.sampled_from(DASHES),
    st.lists(st.sampled_from(BEFORE), max_size=2).map("".join),
    st.lists(st.sampled_from(BEHIND), max_size=2).map("".join),
)
def test_a_link_is_read_as_people_paste_it(
    host: str, scheme: str, path: str, sign: str, dash: str, before: str, behind: str
) -> None:
    pasted = f"{before}{scheme}{host}{path}{sign}{dash.join(('7', 'acorn', 'zebra'))}{behind}"
    assert canonical(pasted) == canonical(f"ws://{host}"), pasted
    assert text_of_link(pasted)[1] == "7-acorn-zebra", pasted


BREAKS = ("\n", "\r\n", "\n> ", "=\n", " \n", "\n    ", "> ")


@given(
    st.sampled_from(HOSTS),
    st.sampled_from(["http://", ""]),
    st.sampled_from(BREAKS),
    st.lists(st.integers(1, 60), min_size=1, max_size=2, unique=True),
    st.sampled_from(BEFORE),
    st.sampled_from(BEHIND),
)
def test_a_link_is_read_though_a_mail_program_broke_it(
    host: str, scheme: str, broken: str, places: list[int], before: str, behind: str
) -> None:
    link = f"{scheme}{host}/#7-acorn-zebra"
    start = 0 if scheme else len(host) + 1  # else a whole address may be left of half of one
    for at in sorted({max(start, place % len(link)) for place in places}, reverse=True):
        link = link[:at] + broken + link[at:]
    pasted = f"{before}{link}{behind}"
    assert canonical(pasted) == canonical(f"ws://{host}"), pasted
    assert text_of_link(pasted)[1] == "7-acorn-zebra", pasted
    assert "\n" not in on_one_line(pasted)
    assert text_of_link(on_one_line(pasted)) == text_of_link(pasted), pasted


@given(st.sampled_from(HOSTS), st.integers(1, 3), st.sampled_from(["&sa=D", "&data=05%7C02", ""]))
def test_a_link_is_read_inside_the_one_of_a_redirection(host: str, levels: int, behind: str) -> None:
    link = f"http://{host}/#7-acorn-zebra"
    for _ in range(levels):
        link = f"https://mail.example/?url={quote(link, safe='')}{behind}"
    assert canonical(link) == canonical(f"ws://{host}"), link
    assert text_of_link(link)[1] == "7-acorn-zebra", link


def test_no_word_of_a_code_begins_another() -> None:
    """Or the end of a link could not be told."""
    for words in (FIRST, SECOND):
        assert not [(word, longer) for word in words for longer in words if word != longer and longer.startswith(word)]


@pytest.mark.parametrize(
    "text",
    [
        "http://a#1\n" * 200,
        "http://a#1" * 200,
        "https%2525253a%25252f" * 95,
        "#" + "a" * 1999,
        "\n#1-" * 500,
        "[/#1-" * 400,
    ],
)
def test_what_is_like_many_links_is_read_at_once(text: str) -> None:
    begun = process_time()
    text_of_link(text)
    assert process_time() - begun < 1


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("My page: http://example.org/\n192.0.2.7:4747/#7-acorn-zebra", "ws://192.0.2.7:4747"),
        ("192.0.2.7:47\n47/#7-acorn-zebra", "ws://192.0.2.7:4747"),
        ("192.0.\n2.7:4747/#7-acorn-zebra", "ws://192.0.2.7:4747"),
        ("[2001:db8::\n1]:4747/#7-acorn-zebra", "ws://[2001:db8::1]:4747"),
        ("http://192.0.2.7:4747/ #7-acorn-zebra", "ws://192.0.2.7:4747"),
    ],
)
def test_of_two_ways_to_read_lines_the_whole_address_is_meant(text: str, address: str) -> None:
    assert canonical(text) == address
    assert text_of_link(text)[1] == "7-acorn-zebra"


@given(
    st.sampled_from(HOSTS),
    st.sampled_from([one for one in BEFORE if "#" not in one]),
    st.sampled_from([one for one in BEHIND if one[:1] not in "_?&: ,\n]|S8"]),
    st.booleans(),
)
def test_a_link_without_a_code_is_read_as_people_paste_it(host: str, before: str, behind: str, scheme: bool) -> None:
    before = before if scheme or before.isspace() or len(before) < 2 else ""  # or nothing tells where it begins
    pasted = f"{before}{'http://' if scheme else ''}{host}/{behind}"
    assert canonical(pasted) == canonical(f"ws://{host}"), pasted
    assert text_of_link(pasted)[1] == ""


@pytest.mark.parametrize("path", ["/ann", "/ann/", "/ann/index.html", "/ann//", "/ann/.", "/ann/)"])
@pytest.mark.parametrize("scheme", ["https://", ""])
def test_a_page_has_its_table_beside_it_with_and_without_the_last_slash(scheme: str, path: str) -> None:
    assert canonical(f"{scheme}cards.example{path}#7-acorn-zebra") == "wss://cards.example:443/ann/table"


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            "http://192.0.2.7:4747/#7-crosword-zebra.",
            "can't have the word 'crosword' there. Did you mean 'crossword'?",
        ),
        ("http://192.0.2.7:4747/#7-acorn", "'7-acorn' isn't a code."),
        ("http://192.0.2.7:4747/#7-acorn-zebra-again", "'7-acorn-zebra-again' isn't a code."),
        ("http://192.0.2.7:4747/#7-ac\x00orn-zebra", "'7-ac<U+0000>orn-zebra' isn't a code."),
        ("http://192.0.2.7:4747/#7-\u0430corn-zebra", "'7-<U+0430>corn-zebra' isn't a code."),
        ("http://192.0.2.7:474700/#7-acorn-zebra", "'474700' isn't a port"),
        ("http://an\x07na:4747/#7-acorn-zebra", "'an<U+0007>na' isn't a host name"),
        ("an\u00a0na", "'an<U+00A0>na' isn't a host name"),
        ("https://zoom.us/j/98765?pwd=a#success", "'success' isn't a code."),
        ("zoommtg://zoom.us/join?confno=98765", "'zoommtg://' opens another program. Paste the link"),
        ("mailto:anna@example.org", "'mailto:' opens another program. Paste the link"),
    ],
)
def test_a_refusal_shows_what_is_wrong_with_a_link(link: str, sentence: str) -> None:
    with pytest.raises((BadAddress, BadCode), match=re.escape(sentence)):
        canonical(link)
        read_code(text_of_link(link)[1])


@pytest.mark.parametrize(
    "name", ["Bob #2", "Bob #7-acorn-zebra", "bob#2", "fe80::1%23", "Ann", "cable:/dev/ttyS0", "tel:555#7-acorn-zebra"]
)
def test_a_name_or_another_address_is_no_link(name: str) -> None:
    assert text_of_link(name) == (name, "")


@pytest.mark.parametrize("host", ["192.0.2.7", "2001:db8::1", "anna.example.org"])
def test_the_code_of_a_link_stands_behind_the_sign_that_no_browser_sends(host: str) -> None:
    link = link_to(host, 4747, "7-acorn-zebra")
    sent, sign, code = link.partition("#")
    assert (sign, code) == ("#", "7-acorn-zebra") and "acorn" not in sent
    assert canonical(link) == canonical(f"ws://{format_address(host, 4747)}")
    assert link_to(host, 4747, "") == sent


@given(st.text(max_size=60))
def test_any_text_behind_a_scheme_is_an_address_or_a_sentence(text: str) -> None:
    for scheme in ("ws://", "wss://", "http://", "https://"):
        try:
            address = canonical(scheme + text)
        except BadAddress as bad:
            assert str(bad).isprintable()
        else:
            assert canonical(address) == address and parse_web(address).path.isascii()


@pytest.mark.parametrize("link", ["http://192.0.2.7:4747/#7-acorn-zebra", f"https://cards.example/ann/#{'a' * 42}"])
def test_a_link_for_watching_leads_to_the_same_table(link: str) -> None:
    watching = link_for_watching(link)
    assert watching != link and text_of_link(watching) == text_of_link(link)
    for pasted in (watching, f"Look: <{watching}>", watching.replace("?", "?fbclid=x&"), watching.replace("#", "%23")):
        assert is_for_watching(pasted), pasted
    assert not is_for_watching(link) and not is_for_watching(link.replace("#", "?watched#"))


def test_the_name_of_an_onion_service_is_no_invitation_although_it_begins_like_one() -> None:
    name = "5uwisbwp6a6pq6gl47k2aabp6wjmnwq5wit56kurhydcwibvyrla4dyd.onion"
    for typed in (name, f"{name}:4747"):
        assert text_of_link(typed) == (typed, "")
        assert canonical(typed) == f"{name}:4747" and is_onion(canonical(typed))
    assert not is_onion("onion.example.org:4747") and not is_onion("onion:4747") and not is_onion("onion")
