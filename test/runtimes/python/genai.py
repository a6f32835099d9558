"""Acts a scenario by the official SDK, google-genai, set up by its environment alone.

Usage: genai.py [--afc] SCENARIO.json    --afc: the SDK runs the tools, which are Python functions to it
"""

import asyncio
import sys

from google.genai import Client

import genai_chat
import genai_interactions
import genai_live
from scenario import read_scenario
from telling import tell

PACKAGES = ['google-genai']


async def main():
    scenario = read_scenario()
    afc = '--afc' in sys.argv
    if scenario.agent == 'delegating':
        tell(PACKAGES, unsupported='The SDK has no agents that delegate.')
    if afc and scenario.api != 'generate-content':
        tell(PACKAGES, unsupported='Automatic function calling is for generate-content.')
    client = Client()
    match scenario.api:
        case 'generate-content':
            turns, session = await genai_chat.converse(client, scenario, afc)
        case 'interactions':
            turns, session = await genai_interactions.converse(client, scenario)
        case 'live':
            turns, session = await genai_live.converse(client, scenario)
    tell(PACKAGES, turns, session, scenario)


asyncio.run(main())
