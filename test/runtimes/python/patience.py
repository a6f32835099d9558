"""Waiting that ends: a runtime in which nothing moves is given up."""

import asyncio


class Silence(Exception):
    """Nothing came for as long as the app has patience."""


class Patience:
    """Gives up what is silent for so many seconds; whoever hears something says so."""

    def __init__(self, seconds):
        self._seconds = seconds
        self._heard_at = 0.0

    def heard(self):
        self._heard_at = asyncio.get_running_loop().time()

    async def over(self, coroutine):
        """What the coroutine comes to, run in one task of its own; Silence, where it is given up."""
        loop = asyncio.get_running_loop()
        self.heard()
        task = asyncio.ensure_future(coroutine)
        while (left := self._heard_at + self._seconds - loop.time()) > 0:
            done, _ = await asyncio.wait({task}, timeout=left)
            if done:
                return task.result()
        task.cancel()
        # Not for ever: what ignores that it is cancelled is left behind.
        await asyncio.wait({task}, timeout=1)
        raise Silence('the turn never ended')
