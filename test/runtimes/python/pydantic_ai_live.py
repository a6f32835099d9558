"""Live by pydantic-ai's realtime sessions: the app's connections, each with all messages before it."""

import asyncio

from pydantic_ai.messages import (
    FunctionToolResultEvent,
    PartEndEvent,
    RealtimeResponseInterruptedEvent,
    RealtimeSessionErrorEvent,
    RealtimeTurnCompleteEvent,
    SpeechPart,
)
from pydantic_ai.realtime.google import GoogleRealtimeModel

from patience import Patience
from pydantic_ai_events import author_of, part_as_json, piece_as_event, spoken
from scenario import LIVE_PATIENCE, QUIET, blob_of
from telling import event, raised


def model_of(scenario):
    """The model, on the scenario's side of the service; resumption is a policy to reconnect."""
    settings = {'output_modality': 'audio' if scenario.audio else 'text'}
    if scenario.resumption:
        settings['reconnect'] = {}
    provider = 'google-cloud' if scenario.backend == 'vertex' else 'google'
    # Of the newest models the library knows that they only speak; the recorded ones still write.
    profile = None if scenario.audio else {'supports_text_output': True}
    return GoogleRealtimeModel(scenario.model, provider=provider, settings=settings, profile=profile)


async def send(session, turn):
    """One turn of the user. Text goes the way the library chooses for it."""
    for part in turn['parts']:
        if 'text' in part:
            await session.send(part['text'])
        else:
            await session.send_audio(blob_of(part))


def said_as_event(said):
    """An event of a session: a piece of content, a whole part, a result, a mark; None for the rest."""
    match said:
        case PartEndEvent(part=SpeechPart() as part):
            return event(author_of(part), **spoken(part.transcript, part.speaker, finished=True))
        case PartEndEvent():
            part = part_as_json(said.part)
            return part and event('model', [part])
        case FunctionToolResultEvent():
            return event('user', [part_as_json(said.part)])
        case RealtimeResponseInterruptedEvent():
            return event('model', interrupted=True)
        case RealtimeTurnCompleteEvent():
            return event('model', turnComplete=True)
        case RealtimeSessionErrorEvent():
            return event('model', errorCode=said.code or said.type, errorMessage=said.message)
    return piece_as_event(said)


async def talk(session, turns, hear):
    """One connection: each turn when the one before is over, and the end when it is quiet after the last."""
    left, hanging_up = list(turns), None
    loop = asyncio.get_running_loop()
    if left:
        await send(session, left.pop(0))
    async for said in session:
        hear(said)
        if hanging_up:
            hanging_up.cancel()
        over = isinstance(said, RealtimeTurnCompleteEvent)
        if over and left:
            await send(session, left.pop(0))
        elif hanging_up or over:
            hanging_up = loop.call_later(QUIET, lambda: loop.create_task(session.close()))


async def converse(agent, scenario):
    """What came of each connection, and the app's messages."""
    history, told = [], []
    for turns in scenario.conversations:
        events, error, patience, sessions = [], None, Patience(LIVE_PATIENCE), []
        realtime = agent.realtime(model_of(scenario), message_history=history)

        def hear(said, events=events, patience=patience):
            patience.heard()
            if (told := said_as_event(said)) is not None:
                events.append(told)

        async def connect(realtime=realtime, turns=turns, hear=hear, sessions=sessions):
            async with realtime.session() as session:
                sessions.append(session)
                await talk(session, turns, hear)

        try:
            await patience.over(connect())
        except Exception as caught:  # What the app would see, whatever it is.
            error = raised(caught)
        if sessions:
            history = sessions[0].all_messages()
        told.append({'events': events, 'error': error})
    return told, history
