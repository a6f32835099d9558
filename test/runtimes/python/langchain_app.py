"""Acts a scenario by langchain's chat model of Gemini, set up by the environment alone.

The library keeps no session: the app keeps a list of messages, adds up what is streamed, as the library
says to, and runs the tools by hand.

Usage: langchain_app.py SCENARIO.json
"""

import asyncio
import json
from os import environ

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_google_genai import ChatGoogleGenerativeAI

from patience import Patience
from scenario import HTTP_PATIENCE, MOST_ROUNDS, read_scenario
from telling import IDS, event, raised, standard_base64, tell

PACKAGES = ['langchain-google-genai', 'langchain-core', 'google-genai']
CALL_SIGNATURES = '__gemini_function_call_thought_signatures__'


def signed(told, signature):
    """The part with its signature, if it has one."""
    return {**told, 'thoughtSignature': standard_base64(signature)} if signature else told


def block_as_part(block):
    """A block of content as the API spells it; None for others."""
    if isinstance(block, str):
        return {'text': block}
    match block.get('type'):
        case 'text':
            return signed({'text': block['text']}, block.get('extras', {}).get('signature'))
        case 'thinking':
            return signed({'text': block['thinking'], 'thought': True}, block.get('signature'))
        case 'executable_code':
            return {'executableCode': {'language': block['language'], 'code': block['executable_code']}}
        case 'code_execution_result':
            return {'codeExecutionResult': {'output': block['code_execution_result']}}


def call_as_part(call, signatures):
    """A call as the API spells it, with the signature that the message has for it."""
    told = {'id': IDS.stable(call['id']), 'name': call['name'], 'args': call['args']}
    return signed({'functionCall': told}, signatures.get(call['id']))


def answer_of(message):
    """What a model said, as an event's parts."""
    blocks = [message.content] if isinstance(message.content, str) else message.content
    told = [block_as_part(block) for block in blocks if block]
    signatures = message.additional_kwargs.get(CALL_SIGNATURES, {})
    calls = [call_as_part(call, signatures) for call in [*message.tool_calls, *message.invalid_tool_calls]]
    return [part for part in told if part is not None] + calls


def message_as_event(message, partial=None):
    """A message as an event."""
    match message:
        case ToolMessage():
            answer = {'id': IDS.stable(message.tool_call_id), 'name': message.name}
            return event('user', [{'functionResponse': {**answer, 'response': json.loads(message.content)}}])
        case AIMessage():
            usage = message.usage_metadata or {}
            counts = {
                'promptTokenCount': usage.get('input_tokens'),
                'totalTokenCount': usage.get('total_tokens'),
            }
            reason = message.response_metadata.get('finish_reason')
            # What a chunk counts is what it adds, which is the library's own idea.
            told = counts if any(counts.values()) and not partial else None
            return event('model', answer_of(message), partial=partial, finishReason=reason, usage=told)
    return event('user', [block_as_part(block) for block in message.content])


def model_of(scenario, name):
    """The chat model, which knows the scenario's tools."""
    more = {'include_thoughts': True} if scenario.thinkingSummaries else {}
    if scenario.backend == 'vertex':
        # The library makes its client in a way that forgets them, where the environment has a base URL too.
        more |= {'project': environ['GOOGLE_CLOUD_PROJECT'], 'location': environ['GOOGLE_CLOUD_LOCATION']}
    model = ChatGoogleGenerativeAI(model=name, **more)
    tools = [
        {'name': tool.name, 'description': tool.description, 'parameters': tool.parameters}
        for tool in scenario.tools
    ]
    return model.bind_tools(tools) if tools else model


async def ask(model, messages, streaming, hear):
    """One answer of the model; None, where the stream was empty."""
    if not streaming:
        return await model.ainvoke(messages)
    whole = None
    async for chunk in model.astream(messages):
        hear(message_as_event(chunk, partial=True))
        whole = chunk if whole is None else whole + chunk
    return whole


async def take_turn(model, scenario, turn, messages, hear):
    """One turn of the user, with the rounds of tools in it."""
    messages.append(HumanMessage([{'type': 'text', 'text': part['text']} for part in turn['parts']]))
    for _ in range(MOST_ROUNDS):
        answer = await ask(model, messages, scenario.streaming, hear)
        if answer is None:
            return
        messages.append(answer)
        hear(message_as_event(answer))
        if not answer.tool_calls:
            return
        for call in answer.tool_calls:
            result = json.dumps(scenario.answer(call['name'], call['args'], call['id']))
            messages.append(ToolMessage(result, tool_call_id=call['id'], name=call['name']))
            hear(message_as_event(messages[-1]))


async def main():
    scenario = read_scenario()
    if scenario.api != 'generate-content' or scenario.agent != 'single':
        tell(PACKAGES, unsupported='This program has one agent, on generate-content.')
    system = [SystemMessage(scenario.instruction)] if scenario.instruction else []
    messages, told = list(system), []
    for number, turn in enumerate(scenario.conversations[0]):
        events, error, patience = [], None, Patience(HTTP_PATIENCE)

        def hear(said, events=events, patience=patience):
            patience.heard()
            events.append(said)

        try:
            model = model_of(scenario, scenario.model_of(number))
            await patience.over(take_turn(model, scenario, turn, messages, hear))
        except Exception as caught:  # What the app would see, whatever it is.
            error = raised(caught)
        told.append({'events': events, 'error': error})
    tell(PACKAGES, told, [message_as_event(message) for message in messages[len(system) :]], scenario)


asyncio.run(main())
