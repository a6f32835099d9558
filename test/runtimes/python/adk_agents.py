"""The agents of google-adk that act a scenario: one alone, one that delegates, one that the service runs."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.models import Gemini
from google.adk.tools.base_tool import BaseTool
from google.genai import types

from scenario import TOOL_TAKES

APP = 'wiretape_case'
PLACE = {'user_id': 'user', 'session_id': 's1'}
# Tools that the runtime declares by itself where an agent delegates.
OWN_TOOLS = ('ga_specialist', 'finish_task', 'transfer_to_agent')


class Unsupported(Exception):
    """This version of the runtime has no such thing."""


class RecordedTool(BaseTool):
    """A tool declared as the scenario says, which answers as recorded."""

    def __init__(self, tool, takes):
        super().__init__(name=tool.name, description=tool.description)
        self._tool = tool
        self._takes = takes

    def _get_declaration(self):
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._tool.parameters
        )

    async def run_async(self, *, args, tool_context):
        result = self._tool.run(args, tool_context.function_call_id)
        await asyncio.sleep(self._takes)
        return result


def generation_config(scenario):
    """What the model is asked with, besides the conversation; None: nothing."""
    config = types.GenerateContentConfig()
    if scenario.streamArguments:
        calling = types.FunctionCallingConfig(stream_function_call_arguments=True)
        config.tool_config = types.ToolConfig(function_calling_config=calling)
    return config if scenario.streamArguments else None


def planning(scenario):
    """How thoughts are asked for: not by the configuration, which refuses them."""
    if not scenario.thinkingSummaries:
        return {}
    from google.adk.planners import BuiltInPlanner

    return {'planner': BuiltInPlanner(thinking_config=types.ThinkingConfig(include_thoughts=True))}


def model_agent(scenario, model, **more):
    """An agent on a model, with the scenario's instruction and tools."""
    over = Gemini(model=model, use_interactions_api=True) if scenario.api == 'interactions' else model
    takes = TOOL_TAKES if scenario.api == 'live' else 0
    return LlmAgent(
        model=over,
        instruction=scenario.instruction or '',
        tools=[RecordedTool(tool, takes) for tool in scenario.tools if tool.name not in OWN_TOOLS],
        generate_content_config=generation_config(scenario),
        **planning(scenario),
        **more,
    )


def delegating_agent(scenario, model):
    """A coordinator in chat mode that delegates to a specialist in task mode."""
    if 'mode' not in LlmAgent.model_fields:
        raise Unsupported('This version has no modes of agents.')
    specialist = LlmAgent(
        name='ga_specialist',
        model=model,
        mode='task',
        description='Answers questions about web analytics.',
        instruction='Answer the request, then finish the task.',
    )
    return model_agent(scenario, model, name='coordinator', mode='chat', sub_agents=[specialist])


def managed_agent(scenario):
    """An agent that the service runs."""
    try:
        from google.adk.agents import ManagedAgent
    except ImportError:
        raise Unsupported('This version has no managed agents.') from None
    return ManagedAgent(name='agent', agent_id=scenario.agentId)


def agent_of(scenario, model):
    """The agent that the scenario is acted by, on that model."""
    match scenario.agent:
        case 'delegating':
            return delegating_agent(scenario, model)
        case 'managed':
            return managed_agent(scenario)
    return model_agent(scenario, model, name='agent')
