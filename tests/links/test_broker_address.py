"""The addresses of brokers as people write them, and the public ones that are used where the settings name none."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links.address import BadAddress
from p2pcards.links.broker_address import BrokerAddress, parse_broker
from p2pcards.links.public_servers import CHOSEN, PUBLIC_BROKERS


@pytest.mark.parametrize(
    ("text", "expected", "shown"),
    [
        ("mqtts://cards.example", BrokerAddress("mqtts", "cards.example", 8883), "mqtts://cards.example"),
        ("mqtts://cards.example:443/", BrokerAddress("mqtts", "cards.example", 443), "mqtts://cards.example:443"),
        (" mqtt://192.0.2.7 ", BrokerAddress("mqtt", "192.0.2.7", 1883), "mqtt://192.0.2.7"),
        ("mqtt://[2001:db8::7]:99", BrokerAddress("mqtt", "2001:db8::7", 99), "mqtt://[2001:db8::7]:99"),
        ("mqtts://[2001:db8::7]", BrokerAddress("mqtts", "2001:db8::7", 8883), "mqtts://[2001:db8::7]"),
        ("wss://cards.example", BrokerAddress("wss", "cards.example", 443, "/mqtt"), "wss://cards.example/mqtt"),
        ("wss://cards.example:81/", BrokerAddress("wss", "cards.example", 81, "/mqtt"), "wss://cards.example:81/mqtt"),
        ("wss://cards.example/a/b", BrokerAddress("wss", "cards.example", 443, "/a/b"), "wss://cards.example/a/b"),
        (
            "mqtts://ann:of%20clubs%3A@cards.example",
            BrokerAddress("mqtts", "cards.example", 8883, "", "ann", "of clubs:"),
            "mqtts://cards.example",
        ),
        ("mqtt://ann@cards.example", BrokerAddress("mqtt", "cards.example", 1883, "", "ann"), "mqtt://cards.example"),
        (
            "wss://ann:king@cards.example/x",
            BrokerAddress("wss", "cards.example", 443, "/x", "ann", "king"),
            "wss://cards.example/x",
        ),
    ],
)
def test_an_address_is_read_and_shown_without_a_password(text: str, expected: BrokerAddress, shown: str) -> None:
    assert parse_broker(text) == expected
    assert str(expected) == shown
    assert parse_broker(shown) == BrokerAddress(expected.scheme, expected.host, expected.port, expected.path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "isn't the address of a broker"),
        ("cards.example", "isn't the address of a broker"),
        ("ws://cards.example/mqtt", "isn't the address of a broker"),
        ("mqtts://", "isn't the address of a broker"),
        ("mqtts://a@b@cards.example", "isn't the address of a broker"),
        ("mqtts://cards.example:0", "the usual one is 8883"),
        ("mqtt://cards.example:70000", "the usual one is 1883"),
        ("wss://cards.example:x/mqtt", "the usual one is 443"),
        ("mqtts://-oProxy", "isn't a host name"),
        ("mqtts://cards.example/mqtt", "Only a wss:// address can have a path"),
        ("wss://cards.example/mqtt?a=b", "isn't a web path"),
        ("mqtt://a%00b:c@cards.example", "an invisible character"),
    ],
)
def test_another_address_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadAddress, match=sentence):
        parse_broker(text)


def test_a_password_is_in_no_sentence() -> None:
    for text in ("mqtts://ann:king@hearts@cards.example", "x://ann:king@cards.example", "mqtts://ann:king@:1"):
        with pytest.raises(BadAddress) as refused:
            parse_broker(text)
        assert "king" not in str(refused.value)


@given(st.text(max_size=60) | st.from_regex(r"(mqtts?|wss)://[^\0]{0,40}"))
def test_any_text_is_an_address_or_gets_a_sentence(text: str) -> None:
    try:
        there = parse_broker(text)
    except BadAddress:
        return
    assert parse_broker(str(there)) == BrokerAddress(there.scheme, there.host, there.port, there.path)


def test_three_parties_run_the_public_brokers_and_programs_and_pages_meet_at_the_same_ones() -> None:
    ends = [(parse_broker(one.tls), parse_broker(one.web)) for one in PUBLIC_BROKERS]
    assert {(tls.scheme, web.scheme) for tls, web in ends} == {("mqtts", "wss")}
    assert all(tls.host == web.host for tls, web in ends)
    assert len({tls.host.split(".", 1)[1] for tls, _ in ends}) == 3
    assert all(one.reason for one in PUBLIC_BROKERS) and date(2026, 11, 1) < CHOSEN
