"""Generate-content by the SDK's own chats, streamed or not, the tools run by hand or by the SDK."""

from google.genai import types

from genai_config import callables, content_config, declarations, parts_of
from patience import Patience
from scenario import HTTP_PATIENCE, MOST_ROUNDS
from telling import content_as_event, dumped, enum_name, event, parts_as_json, raised


def response_as_event(response):
    """A response, or a chunk of one, as an event."""
    [candidate] = (response.candidates or [types.Candidate()])[:1]
    blocked = response.prompt_feedback and response.prompt_feedback.block_reason
    return event(
        'model',
        parts_as_json(candidate.content),
        finishReason=enum_name(candidate.finish_reason),
        errorCode=enum_name(blocked),
        errorMessage=response.prompt_feedback.block_reason_message if blocked else None,
        usage=response.usage_metadata and dumped(response.usage_metadata),
    )


def whole_calls(responses):
    """The calls that the SDK hands out whole; one that comes in pieces it leaves in pieces."""
    calls = [call for response in responses for call in response.function_calls or []]
    return [call for call in calls if call.name and not call.will_continue and not call.partial_args]


async def send(chat, parts, streaming, hear):
    """One message to the chat, and all that comes back."""
    if not streaming:
        response = await chat.send_message(parts)
        hear(response)
        return [response]
    responses = []
    async for chunk in await chat.send_message_stream(parts):
        hear(chunk)
        responses.append(chunk)
    return responses


def answered(scenario, call):
    """The part that answers a call."""
    response = scenario.answer(call.name, call.args, call.id)
    return types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response=response))


async def take_turn(chat, turn, scenario, hear):
    """One turn of the user, with the rounds of tools in it."""
    parts = parts_of(turn)
    for _ in range(MOST_ROUNDS):
        responses = await send(chat, parts, scenario.streaming, hear)
        calls = whole_calls(responses)
        if not calls:
            return
        parts = [answered(scenario, call) for call in calls]


async def take_turn_by_itself(chat, turn, scenario, hear):
    """One turn of the user, in which the SDK runs the tools."""
    await send(chat, parts_of(turn), scenario.streaming, hear)


async def converse(client, scenario, afc):
    """The conversation: what came of each turn, and the chat's whole history."""
    config = content_config(scenario, callables(scenario) if afc else declarations(scenario))
    take = take_turn_by_itself if afc else take_turn
    chat, told = None, []
    for number, turn in enumerate(scenario.conversations[0]):
        if chat is None or scenario.model_of(number) != scenario.model_of(number - 1):
            history = [] if chat is None else chat.get_history()
            chat = client.aio.chats.create(model=scenario.model_of(number), config=config, history=history)
        events, error, patience = [], None, Patience(HTTP_PATIENCE)

        def hear(response, events=events, patience=patience):
            patience.heard()
            events.append(response_as_event(response))

        try:
            await patience.over(take(chat, turn, scenario, hear))
        except Exception as caught:  # What the app would see, whatever it is.
            error = raised(caught)
        told.append({'events': events, 'error': error})
    return told, [content_as_event(content) for content in chat.get_history()] if chat else []
