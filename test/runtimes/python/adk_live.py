"""Live by google-adk's runLive: the app's connections, one after another, in one stored session."""

import asyncio

from google.adk.agents.live_request_queue import LiveRequestQueue
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.genai import types

from adk_agents import PLACE
from adk_events import event_as_json
from genai_config import content_of
from patience import Patience
from scenario import LIVE_PATIENCE, QUIET, blob_of
from telling import raised


def run_config(scenario):
    """How the connection is set up."""
    config = RunConfig(
        response_modalities=['AUDIO' if scenario.audio else 'TEXT'], streaming_mode=StreamingMode.BIDI
    )
    if scenario.audio:
        config.input_audio_transcription = types.AudioTranscriptionConfig()
        config.output_audio_transcription = types.AudioTranscriptionConfig()
    if scenario.resumption:
        config.session_resumption = types.SessionResumptionConfig()
    if scenario.saveLiveBlob:
        config.save_live_blob = True
    return config


def send(queue, turn):
    """One turn of the user. Text goes the way the runtime chooses for it."""
    if turn['how'] != 'audio':
        queue.send_content(content_of(turn))
        return
    [part] = turn['parts']
    queue.send_realtime(types.Blob(data=blob_of(part), mime_type=part['inlineData']['mimeType']))


async def talk(runner, scenario, turns, hear):
    """One connection: each turn when the one before is over, and the end when it is quiet then."""
    queue, left, hanging_up = LiveRequestQueue(), list(turns), None
    loop = asyncio.get_running_loop()
    if left:
        send(queue, left.pop(0))
    async for said in runner.run_live(**PLACE, live_request_queue=queue, run_config=run_config(scenario)):
        hear(said)
        if hanging_up:
            hanging_up.cancel()
        if hanging_up or (said.turn_complete and not left):
            hanging_up = loop.call_later(QUIET, queue.close)
        elif said.turn_complete:
            send(queue, left.pop(0))


async def converse(scenario, runner_for):
    """What came of each connection."""
    runner, told = runner_for(scenario.model), []
    for turns in scenario.conversations:
        events, error, patience = [], None, Patience(LIVE_PATIENCE)

        def hear(said, events=events, patience=patience):
            patience.heard()
            events.append(event_as_json(said))

        try:
            await patience.over(talk(runner, scenario, turns, hear))
        except Exception as caught:  # What the app would see, whatever it is.
            error = raised(caught)
        told.append({'events': events, 'error': error})
    return told
