"""Answers each test from a cassette, and fails it where it asks for anything else.

Run the suite with:  npx wiretape replay ../cassettes -- pytest
"""

import json, os, urllib.request, uuid
import pytest
from google import genai


@pytest.fixture
def client(request):
    mark = request.node.get_closest_marker("cassette") or pytest.mark.cassette(request.node.originalname[5:])
    root, run = os.environ["WIRETAPE_URL"], f"{mark.args[0]}@{uuid.uuid4().hex[:8]}"
    yield genai.Client(api_key="none", http_options={"base_url": f"{root}/t/{run}"})
    verdict = json.load(urllib.request.urlopen(f"{root}/__wiretape__/{run}"))
    assert verdict["ok"], verdict["message"]
