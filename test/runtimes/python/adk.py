"""Acts a scenario by google-adk: ordinary agents on the public API, set up by the environment alone.

Usage: adk.py SCENARIO.json
"""

import asyncio

from google.adk.artifacts import InMemoryArtifactService
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService

import adk_http
import adk_live
from adk_agents import APP, PLACE, Unsupported, agent_of
from adk_events import event_as_json
from scenario import read_scenario
from telling import tell

PACKAGES = ['google-adk', 'google-genai']


async def main():
    scenario = read_scenario()
    sessions = InMemorySessionService()
    await sessions.create_session(app_name=APP, **PLACE)

    def runner_for(model):
        # The sessions outlive a runner: another model is another agent of the same name.
        return Runner(
            app_name=APP,
            agent=agent_of(scenario, model),
            session_service=sessions,
            artifact_service=InMemoryArtifactService(),
        )

    converse = adk_live.converse if scenario.api == 'live' else adk_http.converse
    try:
        turns = await converse(scenario, runner_for)
    except Unsupported as missing:
        tell(PACKAGES, unsupported=str(missing))
    stored = await sessions.get_session(app_name=APP, **PLACE)
    tell(PACKAGES, turns, [event_as_json(event) for event in stored.events], scenario)


asyncio.run(main())
