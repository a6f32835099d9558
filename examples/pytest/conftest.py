"""Answers each test from a cassette, and fails it where it asks for anything else.

Run the suite with:          npx wiretape replay ../cassettes -- pytest
Record the cassette of one:  npx wiretape record ../cassettes/greeting.cassette.yaml -- pytest -k test_greeting
"""

import os, uuid
import pytest, requests
from google import genai


@pytest.fixture
def client(request):
    mark = request.node.get_closest_marker("cassette") or pytest.mark.cassette(request.node.originalname[5:])
    root, run = os.environ.get("WIRETAPE_URL"), f"{mark.args[0]}@{uuid.uuid4().hex[:8]}"
    yield genai.Client(api_key="none", http_options={"base_url": f"{root}/t/{run}"}) if root else genai.Client()
    verdict = requests.get(f"{root}/__wiretape__/{run}").json() if root else {"ok": True}
    assert verdict["ok"], verdict["message"]
