"""Messages and pieces of streams of pydantic-ai in the spelling of the transcript."""

import json

from pydantic_ai.messages import (
    FilePart,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    RetryPromptPart,
    SpeechPart,
    SpeechPartDelta,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
    ToolReturnPart,
    UserPromptPart,
)

from telling import IDS, event, standard_base64


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
        case SpeechPart():
            return None
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


def spoken(text, speaker, finished):
    """The mark of a transcription: what was said aloud, by whom."""
    name = 'inputTranscription' if speaker == 'user' else 'outputTranscription'
    return {name: {'text': text, 'finished': finished}} if text else {}


def message_as_event(message):
    """A whole message."""
    aloud = {}
    for part in message.parts:
        if isinstance(part, SpeechPart):
            aloud |= spoken(part.transcript, part.speaker, finished=True)
    parts = [told for part in message.parts if (told := part_as_json(part)) is not None]
    if not isinstance(message, ModelResponse):
        return event('user', parts, **aloud)
    reason = (message.provider_details or {}).get('finish_reason') or message.finish_reason
    counts = {'promptTokenCount': message.usage.input_tokens, 'totalTokenCount': message.usage.total_tokens}
    cut = message.state == 'interrupted'
    usage = counts if any(counts.values()) else None
    return event('model', parts, finishReason=reason, interrupted=cut, usage=usage, **aloud)


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
        case PartStartEvent(part=SpeechPart() as part) if part.transcript:
            return event(author_of(part), partial=True, **spoken(part.transcript, part.speaker, False))
        case PartDeltaEvent(delta=SpeechPartDelta() as delta) if delta.transcript_delta:
            return event(
                author_of(delta), partial=True, **spoken(delta.transcript_delta, delta.speaker, False)
            )
        case PartStartEvent():
            told = part_as_json(piece.part)
        case PartDeltaEvent():
            told = delta_as_json(piece.delta)
        case _:
            return None
    # A part may start with nothing in it.
    return event('model', [told], partial=True) if told and told != {'text': ''} else None


def author_of(speech):
    """Who speaks."""
    return 'user' if speech.speaker == 'user' else 'model'
