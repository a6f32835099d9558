"""Acts a scenario by pydantic-ai's agent on its Google model, set up by the environment alone.

The library keeps no session: the app hands each run the messages of the run before. A run that fails
leaves none.

Usage: pydantic_ai_app.py SCENARIO.json
"""

import asyncio
import json

from pydantic_ai import Agent, BinaryContent, Tool
from pydantic_ai.messages import (
    FilePart,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    RetryPromptPart,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.google import GoogleModel

from patience import Patience
from scenario import HTTP_PATIENCE, blob_of, read_scenario
from telling import IDS, event, raised, standard_base64, tell

PACKAGES = ['pydantic-ai-slim', 'google-genai']


def tool_of(recorded):
    """A tool declared as the scenario says, which answers as recorded."""

    def run(context, **args):
        return recorded.run(args, context.tool_call_id)

    return Tool.from_schema(run, recorded.name, recorded.description, recorded.parameters, takes_ctx=True)


def agent_of(scenario):
    """An agent that is told its model with each run."""
    settings = {'google_thinking_config': {'include_thoughts': True}} if scenario.thinkingSummaries else None
    tools = [tool_of(recorded) for recorded in scenario.tools]
    return Agent(instructions=scenario.instruction, tools=tools, model_settings=settings)


def model_of(scenario, number):
    """The model of a turn, on the scenario's side of the service."""
    provider = 'google-cloud' if scenario.backend == 'vertex' else 'google'
    return GoogleModel(scenario.model_of(number), provider=provider)


def args_as_json(args):
    """The arguments of a call, which may be text still."""
    try:
        return json.loads(args or '{}') if isinstance(args, str) else args or {}
    except ValueError:
        return {}


def signed(told, signature):
    """The part with its signature, if it has one."""
    return {**told, 'thoughtSignature': standard_base64(signature)} if signature else told


def part_as_json(part):
    """A part of a request or of a response as the API spells it; None for others."""
    details = getattr(part, 'provider_details', None) or {}
    signature = details.get('thought_signature')
    match part:
        case TextPart():
            return signed({'text': part.content}, signature)
        case ThinkingPart():
            return signed({'text': part.content, 'thought': True}, part.signature)
        case ToolCallPart():
            call = {
                'id': IDS.stable(part.tool_call_id),
                'name': part.tool_name,
                'args': args_as_json(part.args),
            }
            return signed({'functionCall': call}, signature)
        case FilePart():
            return {'inlineData': {'mimeType': part.content.media_type, 'bytes': len(part.content.data)}}
        case ToolReturnPart():
            response = part.content if isinstance(part.content, dict) else {'result': part.content}
            answer = {'id': IDS.stable(part.tool_call_id), 'name': part.tool_name, 'response': response}
            return {'functionResponse': answer}
        case RetryPromptPart() if part.tool_name:
            response = {'error': part.model_response()}
            answer = {'id': IDS.stable(part.tool_call_id), 'name': part.tool_name, 'response': response}
            return {'functionResponse': answer}
        case UserPromptPart():
            texts = [part.content] if isinstance(part.content, str) else part.content
            return {'text': ''.join(text for text in texts if isinstance(text, str))}
    # What else the library puts into a request, such as a prompt to try again, is text to the service.
    return {'text': str(part.content)} if hasattr(part, 'content') else None


def message_as_event(message):
    """A whole message."""
    parts = [told for part in message.parts if (told := part_as_json(part)) is not None]
    if not isinstance(message, ModelResponse):
        return event('user', parts)
    reason = (message.provider_details or {}).get('finish_reason') or message.finish_reason
    counts = {'promptTokenCount': message.usage.input_tokens, 'totalTokenCount': message.usage.total_tokens}
    return event('model', parts, finishReason=reason, usage=counts if any(counts.values()) else None)


def delta_as_json(delta):
    """What a delta adds to a part."""
    details = getattr(delta, 'provider_details', None)
    signature = details.get('thought_signature') if isinstance(details, dict) else None
    match delta:
        case TextPartDelta():
            return signed({'text': delta.content_delta}, signature)
        case ThinkingPartDelta():
            return signed({'text': delta.content_delta or '', 'thought': True}, delta.signature_delta)
        case ToolCallPartDelta():
            call = {'name': delta.tool_name_delta, 'args': args_as_json(delta.args_delta)}
            return signed({'functionCall': {name: value for name, value in call.items() if value}}, signature)


def piece_as_event(piece):
    """A piece of a stream, partial as it is; None for marks without content."""
    match piece:
        case PartStartEvent():
            told = part_as_json(piece.part)
        case PartDeltaEvent():
            told = delta_as_json(piece.delta)
        case _:
            return None
    return told and event('model', [told], partial=True)


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


async def main():
    scenario = read_scenario()
    if scenario.api != 'generate-content' or scenario.agent != 'single':
        tell(PACKAGES, unsupported='This program has one agent, on generate-content.')
    agent, history, told = agent_of(scenario), [], []
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
    tell(PACKAGES, told, [message_as_event(message) for message in history], scenario)


asyncio.run(main())
