"""Events of google-adk in the spelling of the transcript.

An event is told when it is heard: the runtime may still write on one that it has handed out.
"""

from telling import dumped, enum_name, event, parts_as_json, transcription


def event_as_json(said):
    """What matters of an event. Some fields are not in every version."""
    return event(
        said.author,
        parts_as_json(said.content),
        partial=said.partial,
        interrupted=said.interrupted,
        turnComplete=said.turn_complete,
        finishReason=enum_name(getattr(said, 'finish_reason', None)),
        errorCode=enum_name(said.error_code),
        errorMessage=said.error_message,
        inputTranscription=transcription(getattr(said, 'input_transcription', None)),
        outputTranscription=transcription(getattr(said, 'output_transcription', None)),
        usage=said.usage_metadata and dumped(said.usage_metadata),
        interactionId=getattr(said, 'interaction_id', None),
    )
