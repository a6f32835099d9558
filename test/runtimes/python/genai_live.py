"""Live by the SDK's own connection. The SDK stores nothing: the app itself says again what was said."""

import asyncio

from google.genai import types

from genai_config import content_of, declarations
from patience import Patience
from scenario import LIVE_PATIENCE, QUIET, TOOL_TAKES, blob_of
from telling import dumped, event, parts_as_json, raised, transcription


def live_config(scenario):
    """What a connection is set up with. It is a new one each time: the SDK resumes nothing by itself."""
    config = types.LiveConnectConfig(
        response_modalities=['AUDIO' if scenario.audio else 'TEXT'],
        system_instruction=scenario.instruction,
        tools=declarations(scenario),
    )
    if scenario.audio:
        config.input_audio_transcription = types.AudioTranscriptionConfig()
        config.output_audio_transcription = types.AudioTranscriptionConfig()
    if scenario.resumption:
        config.session_resumption = types.SessionResumptionConfig()
    if scenario.thinkingSummaries:
        config.thinking_config = types.ThinkingConfig(include_thoughts=True)
    return config


def message_as_event(message):
    """A message of the service as an event."""
    said = message.server_content or types.LiveServerContent()
    called = message.tool_call or types.LiveServerToolCall()
    calls = types.Content(parts=[types.Part(function_call=call) for call in called.function_calls or []])
    return event(
        'model',
        parts_as_json(said.model_turn) + parts_as_json(calls),
        interrupted=said.interrupted,
        turnComplete=said.turn_complete,
        inputTranscription=transcription(said.input_transcription),
        outputTranscription=transcription(said.output_transcription),
        usage=message.usage_metadata and dumped(message.usage_metadata),
    )


async def send(session, turn):
    """One turn of the user, in the way that the scenario says."""
    match turn['how']:
        case 'realtime-text':
            for part in turn['parts']:
                await session.send_realtime_input(text=part['text'])
        case 'audio':
            [part] = turn['parts']
            blob = types.Blob(data=blob_of(part), mime_type=part['inlineData']['mimeType'])
            await session.send_realtime_input(audio=blob)
        case _:
            await session.send_client_content(turns=content_of(turn), turn_complete=True)


class App:
    """What the app keeps from one connection to the next: what each side has said, typed or aloud."""

    def __init__(self, client, scenario):
        self.client = client
        self.scenario = scenario
        self.history = []

    def keep(self, role, text):
        if not text:
            return
        if self.history and self.history[-1].role == role:
            self.history[-1].parts[0].text += text
        else:
            self.history.append(types.Content(role=role, parts=[types.Part(text=text)]))

    def keep_content(self, role, content):
        for part in (content and content.parts) or []:
            if not part.thought:
                self.keep(role, part.text)

    def keep_said(self, said):
        """What of a message of the service belongs into a history."""
        if said.input_transcription:
            self.keep('user', said.input_transcription.text)
        self.keep_content('model', said.model_turn)
        if said.output_transcription:
            self.keep('model', said.output_transcription.text)


class Connection:
    """One connection of the app, set up."""

    def __init__(self, app, session, events, patience):
        self._app = app
        self._session = session
        self._events = events
        self._patience = patience
        self._cancelled = set()
        self._answers = []

    async def _hear(self, message):
        self._patience.heard()
        self._events.append(message_as_event(message))
        if message.server_content:
            self._app.keep_said(message.server_content)
        if message.tool_call_cancellation:
            self._cancelled.update(message.tool_call_cancellation.ids or [])
        if message.tool_call:
            calls = message.tool_call.function_calls or []
            self._answers.append(asyncio.create_task(self._answer(calls)))

    async def _answer(self, calls):
        # Beside the listening: what is taken back meanwhile is not answered.
        answer = self._app.scenario.answer
        responses = [
            types.FunctionResponse(id=call.id, name=call.name, response=answer(call.name, call.args, call.id))
            for call in calls
        ]
        await asyncio.sleep(TOOL_TAKES)
        wanted = [response for response in responses if response.id not in self._cancelled]
        if wanted:
            await self._session.send_tool_response(function_responses=wanted)

    async def remind(self, history):
        """What was said on connections before."""
        await self._session.send_client_content(turns=history, turn_complete=False)

    async def take(self, turn):
        """One turn: what comes until it is complete."""
        await send(self._session, turn)
        self._app.keep_content('user', content_of(turn))
        async for message in self._session.receive():
            await self._hear(message)

    async def linger(self):
        """What comes after the last turn, until it is quiet."""
        while True:
            try:
                message = await asyncio.wait_for(anext(self._session.receive()), QUIET)
            except TimeoutError:
                return
            await self._hear(message)


async def talk(app, turns, events, patience):
    """One connection, from the setup to the app's hanging up."""
    config = live_config(app.scenario)
    async with app.client.aio.live.connect(model=app.scenario.model, config=config) as session:
        connection = Connection(app, session, events, patience)
        if app.history:
            await connection.remind(app.history)
        for turn in turns:
            await connection.take(turn)
        await connection.linger()


async def converse(client, scenario):
    """The app's connections, one after another."""
    app, told = App(client, scenario), []
    for turns in scenario.conversations:
        events, error, patience = [], None, Patience(LIVE_PATIENCE)
        try:
            await patience.over(talk(app, turns, events, patience))
        except Exception as caught:  # What the app would see, whatever it is.
            error = raised(caught)
        told.append({'events': events, 'error': error})
    return told, None
