"""Talks to the API by the official SDK, set up by its environment alone, and prints what it got, a JSON value a line.

Usage: sdk.py unary | stream | interactions | live
"""

import asyncio
import json
import sys

from google import genai

TOOL = {
    'name': 'get_tide',
    'description': 'The next high tide at a harbour.',
    'parameters': {'type': 'OBJECT', 'properties': {'harbour': {'type': 'STRING'}}, 'required': ['harbour']},
}


def tell(value):
    print(json.dumps(value, ensure_ascii=False, default=str), flush=True)


def unary(client):
    """A function call, and the request that answers it."""
    asked = {'role': 'user', 'parts': [{'text': 'When is high tide in Whitby?'}]}
    config = {'tools': [{'function_declarations': [TOOL]}]}
    model = 'gemini-3-pro-preview'
    called = client.models.generate_content(model=model, contents=[asked], config=config)
    tell(called.model_dump(mode='json', exclude_none=True, exclude={'sdk_http_response'}))
    [call] = called.function_calls
    answer = {'id': call.id, 'name': call.name, 'response': {'time': '16:42', 'height_m': 5.4}}
    answered = {'role': 'user', 'parts': [{'function_response': answer}]}
    contents = [asked, called.candidates[0].content, answered]
    told = client.models.generate_content(model=model, contents=contents, config=config)
    tell(told.model_dump(mode='json', exclude_none=True, exclude={'sdk_http_response'}))


def stream(client):
    """A streamed answer."""
    chunks = client.models.generate_content_stream(
        model='gemini-2.5-flash',
        contents='Why is the sea salty?',
        config={'temperature': 0.5, 'max_output_tokens': 64},
    )
    for chunk in chunks:
        tell(chunk.model_dump(mode='json', exclude_none=True, exclude={'sdk_http_response'}))


def interactions(client):
    """A function call in a stream, and the request that answers it."""
    tool = {
        'type': 'function',
        'name': TOOL['name'],
        'description': TOOL['description'],
        'parameters': {'type': 'object', 'properties': {'harbour': {'type': 'string'}}, 'required': ['harbour']},
    }
    model = 'gemini-3-flash-preview'
    more = {'store': False, 'stream': True, 'generation_config': {'thinking_summaries': 'auto'}, 'tools': [tool]}
    question = 'When is high tide in Whitby?'
    signature = summary = arguments = ''
    call = None
    for event in client.interactions.create(model=model, input=question, **more):
        tell(event.model_dump(mode='json', exclude_none=True))
        if event.event_type == 'step.start' and event.step.type == 'function_call':
            call = event.step
        if event.event_type == 'step.delta':
            match event.delta.type:
                case 'thought_summary':
                    summary += event.delta.content.text
                case 'thought_signature':
                    signature += event.delta.signature
                case 'arguments_delta':
                    arguments += event.delta.arguments
    steps = [
        {'type': 'user_input', 'content': [{'type': 'text', 'text': question}]},
        {'type': 'thought', 'signature': signature, 'summary': [{'type': 'text', 'text': summary}]},
        {'type': 'function_call', 'id': call.id, 'name': call.name, 'arguments': json.loads(arguments)},
        {
            'type': 'function_result',
            'call_id': call.id,
            'name': call.name,
            'result': {'time': '16:42', 'height_m': 5.4},
        },
    ]
    for event in client.interactions.create(model=model, input=steps, **more):
        tell(event.model_dump(mode='json', exclude_none=True))


async def live(client):
    """A turn over a socket."""
    config = {'response_modalities': ['TEXT'], 'temperature': 0.5}
    asked = {'role': 'user', 'parts': [{'text': 'Who kept the light at Flamborough?'}]}
    async with client.aio.live.connect(model='gemini-live-2.5-flash-preview', config=config) as session:
        await session.send_client_content(turns=asked, turn_complete=True)
        async for message in session.receive():
            tell(message.model_dump(mode='json', exclude_none=True))


def main():
    client = genai.Client()
    match sys.argv[1]:
        case 'unary':
            unary(client)
        case 'stream':
            stream(client)
        case 'interactions':
            interactions(client)
        case 'live':
            asyncio.run(live(client))


main()
