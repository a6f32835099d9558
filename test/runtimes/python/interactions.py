"""An agent with one tool on the Interactions API, or a managed agent on the same API.

Usage: python interactions.py stream|unary|managed [TEXT ...]    one argument per user turn
"""

import sys

from google.adk.agents import LlmAgent
from google.adk.models import Gemini

from transcript import tell

MODEL = 'gemini-3.6-flash'
tool_runs = []


def get_weather(city: str) -> dict:
    """Tells the weather of a city.

    Args:
        city: The city's name.
    """
    tool_runs.append({'get_weather': {'city': city}})
    return {'weather': 'sunny'}


def model_agent():
    return LlmAgent(
        name='weather',
        model=Gemini(model=MODEL, use_interactions_api=True),
        instruction='Tell the weather.',
        tools=[get_weather],
    )


def managed_agent():
    # Not in every version: the caller sees the ImportError.
    from google.adk.agents import ManagedAgent

    return ManagedAgent(name='weather', agent_id='antigravity-preview-05-2026')


how, *turns = sys.argv[1:]
if how not in ('stream', 'unary', 'managed'):
    sys.exit(f'{how}: say stream, unary or managed')

agent = managed_agent() if how == 'managed' else model_agent()
tell(agent, turns or ['What is the weather in Paris?'], how != 'unary', tool_runs)
