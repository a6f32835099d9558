"""Acts a scenario by pydantic-ai's agent on its Google model, set up by the environment alone.

The library keeps no session: the app hands each run the messages of the run before. A run that fails
leaves none.

Usage: pydantic_ai_app.py SCENARIO.json
"""

import asyncio

from pydantic_ai import Agent, BinaryContent, Tool
from pydantic_ai.messages import UserPromptPart
from pydantic_ai.models.google import GoogleModel

import pydantic_ai_live
from patience import Patience
from pydantic_ai_events import message_as_event, piece_as_event
from scenario import HTTP_PATIENCE, TOOL_TAKES, blob_of, read_scenario
from telling import raised, tell

PACKAGES = ['pydantic-ai-slim', 'google-genai']


def tool_of(recorded, takes):
    """A tool declared as the scenario says, which answers as recorded."""

    async def run(context, **args):
        result = recorded.run(args, context.tool_call_id)
        await asyncio.sleep(takes)
        return result

    return Tool.from_schema(run, recorded.name, recorded.description, recorded.parameters, takes_ctx=True)


def agent_of(scenario):
    """An agent that is told its model with each run."""
    settings = {'google_thinking_config': {'include_thoughts': True}} if scenario.thinkingSummaries else None
    takes = TOOL_TAKES if scenario.api == 'live' else 0
    tools = [tool_of(recorded, takes) for recorded in scenario.tools]
    return Agent(instructions=scenario.instruction, tools=tools, model_settings=settings)


def model_of(scenario, number):
    """The model of a turn, on the scenario's side of the service."""
    provider = 'google-cloud' if scenario.backend == 'vertex' else 'google'
    return GoogleModel(scenario.model_of(number), provider=provider)


def content_of(part):
    """A part of a user turn in the library's types."""
    if 'text' in part:
        return part['text']
    return BinaryContent(blob_of(part), media_type=part['inlineData']['mimeType'])


async def take_turn(agent, scenario, number, history, hear):
    """One run of the agent, with the rounds of tools in it; all messages at its end."""
    turn = scenario.conversations[0][number]
    prompt = [content_of(part) for part in turn['parts']]
    async with agent.iter(prompt, message_history=history, model=model_of(scenario, number)) as run:
        async for node in run:
            if Agent.is_model_request_node(node):
                if not any(isinstance(part, UserPromptPart) for part in node.request.parts):
                    hear(message_as_event(node.request))
                if scenario.streaming:
                    async with node.stream(run.ctx) as stream:
                        async for piece in stream:
                            hear(piece_as_event(piece))
            elif Agent.is_call_tools_node(node):
                hear(message_as_event(node.model_response))
        return run.result.all_messages()


async def converse(agent, scenario):
    """What came of each turn, and the app's messages."""
    history, told = [], []
    for number in range(len(scenario.conversations[0])):
        events, error, patience = [], None, Patience(HTTP_PATIENCE)

        def hear(said, events=events, patience=patience):
            patience.heard()
            if said is not None:
                events.append(said)

        try:
            history = await patience.over(take_turn(agent, scenario, number, history, hear))
        except Exception as caught:  # What the app would see, whatever it is.
            error = raised(caught)
        told.append({'events': events, 'error': error})
    return told, history


async def main():
    scenario = read_scenario()
    if scenario.api == 'interactions' or scenario.agent != 'single':
        tell(PACKAGES, unsupported='The library has no Interactions, and no agents of those kinds.')
    agent = agent_of(scenario)
    talk = pydantic_ai_live.converse if scenario.api == 'live' else converse
    turns, messages = await talk(agent, scenario)
    tell(PACKAGES, turns, [message_as_event(message) for message in messages], scenario)


asyncio.run(main())
