"""Interactions by the SDK: the service keeps the conversation, a request has what is new and the last id."""

import json

from patience import Patience
from scenario import HTTP_PATIENCE, MOST_ROUNDS
from telling import event, raised, standard_base64

# Statuses of an interaction that went as it should.
GOOD = ('completed', 'requires_action', 'in_progress')


def thought_part(text, signature):
    """A thought, or the signature of one, which comes alone."""
    part = {'text': text, 'thought': True}
    return {**part, 'thoughtSignature': standard_base64(signature)} if signature else part


def call_part(step, args):
    """A function call; signed, if the step is."""
    part = {'functionCall': {'id': step.id, 'name': step.name, 'args': args}}
    signature = getattr(step, 'signature', None)
    return {**part, 'thoughtSignature': standard_base64(signature)} if signature else part


def texts(items):
    """The text in a list of contents, which may be missing or hold others."""
    return [item.text for item in items or [] if getattr(item, 'text', None) is not None]


def step_parts(step):
    """A whole step of a unary answer as parts."""
    match step.type:
        case 'thought':
            return [thought_part(''.join(texts(step.summary)), step.signature)]
        case 'function_call':
            return [call_part(step, step.arguments)]
        case 'model_output':
            return [{'text': text} for text in texts(step.content)]
    return []


def delta_parts(delta):
    """A piece of a step, if it says anything by itself; arguments do not."""
    match delta.type:
        case 'text':
            return [{'text': delta.text}]
        case 'thought_summary':
            return [thought_part(getattr(delta.content, 'text', ''), None)]
        case 'thought_signature':
            return [thought_part('', delta.signature)]
    return []


def ended(interaction, parts=()):
    """How an interaction ended, with its parts if it came whole."""
    status = interaction.status if interaction.status not in GOOD else None
    usage = interaction.usage and interaction.usage.model_dump(mode='json', exclude_none=True)
    return event('model', parts, errorCode=status, usage=usage, interactionId=interaction.id)


class Answer:
    """One answer of the service: its events, the calls in it (pieces put together by their index), its id."""

    def __init__(self, told):
        self._tell = told
        self._steps = {}
        self.calls = []
        self.id = None

    def take(self, item):
        """One event of the stream."""
        match item.event_type:
            case 'interaction.created':
                self.id = item.interaction.id
            case 'step.start':
                self._start(item)
            case 'step.delta':
                self._steps[item.index][1].append(getattr(item.delta, 'arguments', None) or '')
                self._show(delta_parts(item.delta))
            case 'step.stop':
                self._stop(*self._steps.pop(item.index))
            case 'interaction.completed':
                self.id = item.interaction.id
                self._tell(ended(item.interaction))
            case 'error':
                error = item.error
                self._tell(
                    event('model', errorCode=error and error.code, errorMessage=error and error.message)
                )

    def take_whole(self, interaction):
        """A unary answer."""
        self.id = interaction.id
        self._tell(
            ended(interaction, [part for step in interaction.steps or [] for part in step_parts(step)])
        )
        self.calls = [
            (step.id, step.name, step.arguments)
            for step in interaction.steps or []
            if step.type == 'function_call'
        ]

    def _start(self, item):
        self._steps[item.index] = (item.step, [])
        if item.step.type == 'thought' and item.step.signature:
            self._show([thought_part('', item.step.signature)])
        elif item.step.type == 'model_output':
            self._show(step_parts(item.step))

    def _stop(self, step, pieces):
        if step.type == 'function_call':
            args = json.loads(''.join(pieces) or '{}') or step.arguments
            self.calls.append((step.id, step.name, args))
            self._show([call_part(step, args)])

    def _show(self, parts):
        if parts:
            self._tell(event('model', parts))


def request_of(scenario, model):
    """What every request of the conversation has, besides what is new."""
    tools = [
        {
            'type': 'function',
            'name': tool.name,
            'description': tool.description,
            'parameters': tool.parameters,
        }
        for tool in scenario.tools
    ]
    request = {'agent': scenario.agentId} if scenario.agent == 'managed' else {'model': model}
    if scenario.instruction:
        request['system_instruction'] = scenario.instruction
    if tools:
        request['tools'] = tools
    if scenario.thinkingSummaries and scenario.agent != 'managed':
        request['generation_config'] = {'thinking_summaries': 'auto'}
    return request


class Conversation:
    """What the app keeps of the conversation: the id of the last answer."""

    def __init__(self, client, scenario):
        self._client = client
        self._scenario = scenario
        self._previous = None

    async def _ask(self, request, steps, tell):
        answer = Answer(tell)
        chain = {'previous_interaction_id': self._previous} if self._previous else {}
        whole = {**request, **chain, 'input': steps}
        if self._scenario.streaming:
            async for item in await self._client.aio.interactions.create(stream=True, **whole):
                answer.take(item)
        else:
            answer.take_whole(await self._client.aio.interactions.create(**whole))
        self._previous = answer.id or self._previous
        return answer

    async def take(self, turn, model, tell):
        """One turn of the user, with the rounds of tools in it."""
        request = request_of(self._scenario, model)
        content = [{'type': 'text', 'text': part['text']} for part in turn['parts']]
        steps = [{'type': 'user_input', 'content': content}]
        for _ in range(MOST_ROUNDS):
            answer = await self._ask(request, steps, tell)
            if not answer.calls:
                return
            steps = [self._result(*call) for call in answer.calls]

    def _result(self, call_id, name, args):
        result = self._scenario.answer(name, args, call_id)
        return {'type': 'function_result', 'call_id': call_id, 'name': name, 'result': result}


async def converse(client, scenario):
    """The conversation: what came of each turn. The SDK stores nothing."""
    conversation, told = Conversation(client, scenario), []
    for number, turn in enumerate(scenario.conversations[0]):
        events, error, patience = [], None, Patience(HTTP_PATIENCE)

        def hear(said, events=events, patience=patience):
            patience.heard()
            events.append(said)

        try:
            await patience.over(conversation.take(turn, scenario.model_of(number), hear))
        except Exception as caught:  # What the app would see, whatever it is.
            error = raised(caught)
        told.append({'events': events, 'error': error})
    return told, None
