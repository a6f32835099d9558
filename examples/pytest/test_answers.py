"""What an app may do with a client. Each test is answered from the cassette of its own name."""

import pytest

MODEL = "gemini-2.5-flash"


def test_greeting(client):
    answer = client.models.generate_content(model=MODEL, contents="Say hello.")
    assert answer.text == "Hello there."


def test_conversation(client):
    chat = client.chats.create(model=MODEL)
    assert chat.send_message("Which harbour is nearest?").text == "Whitby."
    assert chat.send_message("And after that?").text == "Scarborough."


def test_story(client):
    chunks = client.models.generate_content_stream(model=MODEL, contents="Tell me a story.")
    assert "".join(chunk.text for chunk in chunks) == "The light went out, and came back."


@pytest.mark.cassette("greeting")
@pytest.mark.parametrize("attempt", [1, 2])
def test_each_run_is_a_replay_of_its_own(client, attempt):
    answer = client.models.generate_content(model=MODEL, contents="Say hello.")
    assert answer.text == "Hello there."
