"""Tests that assert nothing, of apps that leave their recording: each must fail all the same, with its reason."""

import pytest

MODEL = "gemini-2.5-flash"


@pytest.mark.cassette("greeting")
def test_changed_request(client):
    with pytest.raises(Exception):
        client.models.generate_content(model=MODEL, contents="Say goodbye.")


@pytest.mark.cassette("conversation")
def test_dropped_message(client):
    client.chats.create(model=MODEL).send_message("Which harbour is nearest?")


@pytest.mark.cassette("greeting")
def test_swallowed_error(client):
    client.models.generate_content(model=MODEL, contents="Say hello.")
    try:
        client.models.generate_content(model="gemini-1.5-flash", contents="Say hello.")
    except Exception:
        pass


@pytest.mark.cassette("story")
def test_abandoned_stream(client):
    for _ in client.models.generate_content_stream(model=MODEL, contents="Tell me a story."):
        break


@pytest.mark.cassette("greeting")
def test_request_too_many(client):
    for _ in range(2):
        try:
            client.models.generate_content(model=MODEL, contents="Say hello.")
        except Exception:
            pass


@pytest.mark.cassette("greeting")
def test_faithful(client):
    client.models.generate_content(model=MODEL, contents="Say hello.")


@pytest.mark.cassette("greting")
def test_mistyped_cassette(client):
    pass
