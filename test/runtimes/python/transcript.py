"""What an agent run looked like from outside, as one JSON object on stdout.

Used by the programs beside it. Nothing of the runtime is replaced or patched:
the agents are given to the public `Runner` with an in-memory session, the base
URL and the key come from the environment, and what is printed is what the
runtime yielded, what it stored, and what it raised.

A partial event is printed as it is when it is read. The runtime has gone on by
then and may have put a later signature on the same part, so two runs may differ
in partial events; in what is stored they do not.
"""

import asyncio
import json
import sys
from importlib.metadata import version

from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.genai import types

APP, USER = 'wiretape_case', 'user'


class Ids:
    """Numbers the call ids that the runtime makes up, so that two runs print the same."""

    def __init__(self):
        self._seen = {}

    def stable(self, value):
        if isinstance(value, str) and value.startswith('adk-'):
            return self._seen.setdefault(value, f'adk-{len(self._seen) + 1}')
        return value


def part_as_json(part, ids):
    """One part as the API spells it, base64 and all."""
    value = part.model_dump(mode='json', exclude_none=True, by_alias=True)
    for key in ('functionCall', 'functionResponse'):
        if 'id' in value.get(key, {}):
            value[key]['id'] = ids.stable(value[key]['id'])
    # Some versions store base64 with the alphabet for URLs: the bytes count here.
    if 'thoughtSignature' in value:
        value['thoughtSignature'] = value['thoughtSignature'].replace('-', '+').replace('_', '/')
    return value


def event_as_json(event, ids):
    """What matters of an event: who, whether it is partial, what it holds, what went wrong."""
    value = {'author': event.author}
    if event.partial:
        value['partial'] = True
    if event.error_code:
        value['errorCode'] = event.error_code
        value['errorMessage'] = event.error_message
    parts = (event.content and event.content.parts) or []
    value['parts'] = [part_as_json(part, ids) for part in parts]
    return value


async def converse(agent, turns, streaming):
    """Runs the turns one after another in one session. A turn that raises does not stop the next one."""
    ids = Ids()
    sessions = InMemorySessionService()
    runner = Runner(app_name=APP, agent=agent, session_service=sessions)
    session = await sessions.create_session(app_name=APP, user_id=USER, session_id='s1')
    mode = StreamingMode.SSE if streaming else StreamingMode.NONE
    told = []
    for text in turns:
        events, error = [], None
        message = types.Content(role='user', parts=[types.Part(text=text)])
        try:
            async for event in runner.run_async(
                user_id=USER, session_id=session.id, new_message=message, run_config=RunConfig(streaming_mode=mode)
            ):
                events.append(event_as_json(event, ids))
        except Exception as raised:  # What the app would see, whatever it is.
            error = {'type': type(raised).__name__, 'message': str(raised)}
        told.append({'events': events, 'error': error})
    stored = await sessions.get_session(app_name=APP, user_id=USER, session_id=session.id)
    return {
        'runtime': {'google-adk': version('google-adk'), 'google-genai': version('google-genai')},
        'turns': told,
        'session': [event_as_json(event, ids) for event in stored.events],
    }


def tell(agent, turns, streaming, tool_runs):
    """Runs the conversation and prints the transcript."""
    transcript = asyncio.run(converse(agent, turns, streaming))
    transcript['toolRuns'] = tool_runs
    json.dump(transcript, sys.stdout, indent=2)
    print()
