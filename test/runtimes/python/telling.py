"""What a program prints: what its runtime handed out, stored and raised, in one spelling for all runtimes."""

import base64
import json
import os
import re
import sys
from importlib.metadata import version

# Ids that runtimes make up: adk-…, pyd_ai_…, and bare or prefixed UUIDs.
MADE_UP = re.compile(r'^(adk-|pyd_ai_)|[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$')
# Names that a runtime gives to what it stores have the time in them.
TIME = re.compile(r'\d{10,}')
LONGEST_MESSAGE = 1000
# What a library prints is no part of the transcript.
STDOUT, sys.stdout = sys.stdout, sys.stderr


class Ids:
    """Numbers the call ids that the runtime makes up, so that two runs print the same."""

    def __init__(self):
        self._seen = {}

    def stable(self, value):
        if isinstance(value, str) and MADE_UP.search(value):
            return self._seen.setdefault(value, f'made-up-{len(self._seen) + 1}')
        return value


IDS = Ids()


def dumped(model):
    """A model of google-genai as the API spells it."""
    return model.model_dump(mode='json', exclude_none=True, by_alias=True)


def standard_base64(text):
    """The same bytes in the alphabet of standard base64: some versions store that for URLs."""
    return text.replace('-', '+').replace('_', '/')


def part_as_json(part):
    """One part of google-genai's as the API spells it, with lengths in place of bytes."""
    value = dumped(part)
    for key in ('functionCall', 'functionResponse'):
        if 'id' in value.get(key, {}):
            value[key]['id'] = IDS.stable(value[key]['id'])
    if 'thoughtSignature' in value:
        value['thoughtSignature'] = standard_base64(value['thoughtSignature'])
    if 'fileUri' in value.get('fileData', {}):
        value['fileData']['fileUri'] = TIME.sub('…', value['fileData']['fileUri'])
    if 'inlineData' in value:
        blob = value['inlineData']
        size = len(base64.b64decode(standard_base64(blob.get('data', ''))))
        value['inlineData'] = {'mimeType': blob.get('mimeType'), 'bytes': size}
    return value


def parts_as_json(content):
    """The parts of a content; there may be neither."""
    return [part_as_json(part) for part in (content and content.parts) or []]


def event(author, parts=(), **marks):
    """An event: who, what, and those marks on it that say something."""
    return {'author': author, **{name: mark for name, mark in marks.items() if mark}, 'parts': list(parts)}


def content_as_event(content):
    """A content of a history."""
    return event(content.role or 'user', parts_as_json(content))


def enum_name(value):
    """How the API spells a value of an enumeration."""
    return getattr(value, 'value', value)


def transcription(value):
    """A transcription, if it says anything."""
    if value is None:
        return None
    told = {'text': value.text, 'finished': value.finished}
    return {name: told[name] for name in told if told[name] is not None}


def raised(error):
    """What the app caught."""
    code = getattr(error, 'code', None) or getattr(error, 'status_code', None)
    told = {'type': type(error).__name__, 'message': str(error)[:LONGEST_MESSAGE]}
    return told if not isinstance(code, (int, str)) else {**told, 'code': code}


def tell(packages, turns=(), session=None, scenario=None, notes=(), unsupported=None):
    """Prints the transcript and ends the program, whatever of the runtime still hangs about."""
    told = {'runtime': {package: version(package) for package in packages}}
    if unsupported is None:
        runs = [
            {**run, **({'id': IDS.stable(run['id'])} if 'id' in run else {})} for run in scenario.tool_runs
        ]
        told |= {'turns': list(turns), 'session': session, 'toolRuns': runs}
        if notes:
            told['notes'] = list(notes)
    else:
        told['unsupported'] = unsupported
    json.dump(told, STDOUT, indent=2, ensure_ascii=False, default=str)
    print(file=STDOUT, flush=True)
    os._exit(0)
