"""What a program is given to act: the scenario's file, and the tools in it, which answer as recorded."""

import base64
import json
import sys
from pathlib import Path

# A turn of HTTP in which nothing comes for so many seconds is given up, and a turn of Live after so many.
HTTP_PATIENCE = 20
LIVE_PATIENCE = 10
# The app hangs up so many seconds after the end of its last turn: the usage may come after it.
QUIET = 0.25
# An app that runs tools by hand goes no further than so many requests in one turn.
MOST_ROUNDS = 6
# A tool takes so many seconds on a Live connection: the service may take its call back meanwhile.
TOOL_TAKES = 0.05


class Tool:
    """A function that the model may call: its nth run returns the nth recorded result, then the last."""

    def __init__(self, declared, runs):
        self.name = declared['name']
        self.description = declared.get('description', '')
        self.parameters = declared.get('parameters') or {'type': 'object', 'properties': {}}
        self._results = declared.get('results') or [{'ok': True}]
        self._count = 0
        self._runs = runs

    def run(self, args, call_id=None):
        run = {'name': self.name, 'args': dict(args or {})}
        self._runs.append(run if call_id is None else {**run, 'id': call_id})
        result = self._results[min(self._count, len(self._results) - 1)]
        self._count += 1
        return result


class Scenario:
    """The scenario's fields by their names, what is absent as None; and its tools' runs as they come."""

    def __init__(self, fields):
        self._fields = fields
        self.tool_runs = []
        self.tools = [Tool(declared, self.tool_runs) for declared in fields.get('tools', [])]

    def __getattr__(self, name):
        return self._fields.get(name)

    def tool(self, name):
        """The tool of that name; None: the model made it up."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def answer(self, name, args, call_id=None):
        """What a program that runs tools by hand answers a call with."""
        tool = self.tool(name)
        return {'error': f'There is no function {name}.'} if tool is None else tool.run(args, call_id)

    def model_of(self, turn):
        """The model that the turn of this number is for."""
        models = self.models or []
        return models[turn] if turn < len(models) else self.model


def read_scenario():
    """The scenario whose file the command line ends with."""
    return Scenario(json.loads(Path(sys.argv[-1]).read_text(encoding='utf-8')))


def blob_of(part):
    """The bytes of a part with inline data."""
    return base64.b64decode(part['inlineData']['data'])
