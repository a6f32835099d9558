"""A conversation over HTTP by google-adk: generate-content or Interactions, streamed or not."""

from google.adk.agents.run_config import RunConfig, StreamingMode

from adk_agents import PLACE
from adk_events import event_as_json
from genai_config import content_of
from patience import Patience
from scenario import HTTP_PATIENCE
from telling import raised


async def run(runner, turn, config, hear):
    """One turn of the user, with all that the agent does in it."""
    async for said in runner.run_async(**PLACE, new_message=content_of(turn), run_config=config):
        hear(said)


async def converse(scenario, runner_for):
    """What came of each turn. One that raises does not stop the next one."""
    config = RunConfig(streaming_mode=StreamingMode.SSE if scenario.streaming else StreamingMode.NONE)
    runner, told = None, []
    for number, turn in enumerate(scenario.conversations[0]):
        if runner is None or scenario.model_of(number) != scenario.model_of(number - 1):
            runner = runner_for(scenario.model_of(number))
        events, error, patience = [], None, Patience(HTTP_PATIENCE)

        def hear(said, events=events, patience=patience):
            patience.heard()
            events.append(event_as_json(said))

        try:
            await patience.over(run(runner, turn, config, hear))
        except Exception as caught:  # What the app would see, whatever it is.
            error = raised(caught)
        told.append({'events': events, 'error': error})
    return told
