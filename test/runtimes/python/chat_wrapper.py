"""A coordinator in chat mode that delegates to a specialist in task mode, streaming.

Usage: python chat_wrapper.py [TEXT ...]    one argument per user turn
"""

import sys

from google.adk.agents import LlmAgent

from transcript import tell

MODEL = 'gemini-3.6-flash'
tool_runs = []


def get_property(name: str) -> dict:
    """Finds the analytics property of a site.

    Args:
        name: The site's name.
    """
    tool_runs.append({'get_property': {'name': name}})
    return {'property': 'properties/42'}


specialist = LlmAgent(
    name='ga_specialist',
    model=MODEL,
    mode='task',
    description='Answers questions about web analytics.',
    instruction='Answer the request, then finish the task.',
)

coordinator = LlmAgent(
    name='coordinator',
    model=MODEL,
    mode='chat',
    instruction='Delegate questions about web analytics.',
    tools=[get_property],
    sub_agents=[specialist],
)

tell(coordinator, sys.argv[1:] or ['What are the top landing pages?'], True, tool_runs)
