"""A scenario's configuration in the types of google-genai."""

import inspect

from google.genai import types

PYTHON_TYPES = {
    'string': str,
    'integer': int,
    'number': float,
    'boolean': bool,
    'array': list[str],
    'object': dict[str, str],
}


def declarations(scenario):
    """The tools as declarations: the program runs them by hand. None: there are none."""
    declared = [
        types.FunctionDeclaration(
            name=tool.name, description=tool.description, parameters_json_schema=tool.parameters
        )
        for tool in scenario.tools
    ]
    return [types.Tool(function_declarations=declared)] if declared else None


def callables(scenario):
    """The tools as Python functions, for the SDK to declare and to run."""
    return [callable_of(tool) for tool in scenario.tools] or None


def callable_of(tool):
    """One tool as the function that a programmer would have written, with a parameter for each property."""

    def function(**args):
        # What a function with these parameters would not take, it raises.
        return tool.run(signature.bind(**args).arguments)

    required = tool.parameters.get('required', [])
    names = tool.parameters.get('properties', {})
    # Those without a default have to come first.
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=PYTHON_TYPES.get(names[name].get('type'), str),
            **({} if name in required else {'default': None}),
        )
        for name in sorted(names, key=lambda name: name not in required)
    ]
    signature = inspect.Signature(parameters, return_annotation=dict)
    function.__name__ = tool.name
    function.__doc__ = tool.description
    function.__signature__ = signature
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return function


def content_config(scenario, tools):
    """What generate-content is asked with, besides the conversation."""
    calling = types.FunctionCallingConfig(stream_function_call_arguments=True)
    return types.GenerateContentConfig(
        system_instruction=scenario.instruction,
        tools=tools,
        tool_config=types.ToolConfig(function_calling_config=calling) if scenario.streamArguments else None,
        thinking_config=types.ThinkingConfig(include_thoughts=True) if scenario.thinkingSummaries else None,
    )


def parts_of(turn):
    """The parts of a user turn."""
    return [types.Part.model_validate(part) for part in turn['parts']]


def content_of(turn):
    """A user turn as one content."""
    return types.Content(role='user', parts=parts_of(turn))
