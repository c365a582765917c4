"""A headless Chromium that a test can steer: the DevTools protocol over two pipes, nothing else."""

import atexit
import base64
import fcntl
import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

import numpy

NAMES = ("chromium", "chromium-browser", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)

# Software WebGL, so that it is the same everywhere.
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--enable-unsafe-swiftshader",
         "--use-gl=angle", "--use-angle=swiftshader", "--remote-debugging-pipe", "--mute-audio",
         "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars"]


class Browser:
    """The process. Pages come one after the other, in one process: starting it takes longer than most of them."""

    running = None

    def __init__(self):
        self.profile = tempfile.mkdtemp()
        read_end, self.to = os.pipe()
        self.back, write_end = os.pipe()
        self.buffer, self.count = b"", 0

        def take_places():  # Chromium listens on 3 and answers on 4
            high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in (read_end, write_end)]  # out of the way
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [PROGRAM, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"], preexec_fn=take_places, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_end)
        os.close(write_end)

    @classmethod
    def get(cls):
        if not cls.running:
            cls.running = Browser()
        return cls.running

    @classmethod
    def end(cls):
        if cls.running:
            browser, cls.running = cls.running, None
            browser.process.kill()
            browser.process.wait()
            os.close(browser.to)
            os.close(browser.back)
            shutil.rmtree(browser.profile, ignore_errors=True)

    def call(self, method, params, session=None, heard=None):
        """The answer; what the session says before it goes to `heard`."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params, **({"sessionId": session} if session else {})}
        try:
            os.write(self.to, json.dumps(message).encode() + b"\0")
        except BrokenPipeError:
            raise ConnectionError("Chromium has gone") from None
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]
            if heard and answer.get("sessionId") == session:
                heard(answer)

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.back, 1 << 20)
            if not part:
                raise ConnectionError("Chromium has gone")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)


atexit.register(Browser.end)


class Page:
    """One page, which shares nothing with others: `with Page(path) as page`. Everything it says on its console is in
    page.said."""

    def __init__(self, path, width=1300, height=1000, dark=False, fragment=""):
        self.path, self.fragment, self.dark = path, fragment, dark
        self.size = (width, height)

    def __enter__(self):
        for _ in range(2):  # on a busy machine the browser now and then dies before it says a word
            try:
                return self.start()
            except ConnectionError:
                Browser.end()
        return self.start()

    def start(self):
        self.said, self.session = [], None
        self.browser = Browser.get()
        self.context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=self.context, newWindow=True,
                           width=self.size[0], height=self.size[1])["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=self.size[0], height=self.size[1],
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        self.call("Page.navigate", url=f"file://{self.path}{self.fragment}")
        self.wait("document.documentElement?.dataset.firstFrame")
        return self

    def __exit__(self, kind, *_):
        if kind is not None:  # nobody knows what it is up to
            Browser.end()
            return
        self.session = None
        self.call("Target.disposeBrowserContext", browserContextId=self.context)

    def call(self, method, **params):
        return self.browser.call(method, params, self.session, self.hear)

    def hear(self, message):
        if message.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.said.append(message["params"])

    def run(self, script):
        """The value of a JavaScript expression."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def wait(self, script, seconds=60):
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.05)
        return value

    def press(self, key, code=None, shift=False):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=8 * shift)

    def picture(self, selector=None):
        """Pixels, rows of red, green, blue; of an element or of the window."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")  # what is new is drawn
        clip = {}
        if selector:
            x, y, width, height = self.run(
                f"(r => [r.x, r.y, r.width, r.height])(document.querySelector('{selector}').getBoundingClientRect())")
            clip = {"clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}}
        return pixels(base64.b64decode(self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True, **clip)["data"]))


def pixels(png):
    """A PNG of eight bits a channel as an array (height, width, 3)."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    data, at = b"", 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", png[at + 8:at + 21])
            assert depth == 8 and colour in (2, 6) and not interlaced
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += 12 + size
    channels = 3 if colour == 2 else 4
    lines = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, 1 + channels * width)
    out = numpy.zeros((height, width * channels), numpy.uint8)
    before = numpy.zeros(width * channels, numpy.uint8)
    for i, line in enumerate(lines):
        before = out[i] = unfiltered(line[0], line[1:], before, channels)
    return out.reshape(height, width, channels)[:, :, :3]


def unfiltered(kind, line, above, channels):
    if kind == 0:
        return line
    if kind == 2:
        return line + above
    pixel = line.reshape(-1, channels).astype(int)
    up = above.reshape(-1, channels).astype(int)
    if kind == 1:
        return (numpy.cumsum(pixel, axis=0) % 256).astype(numpy.uint8).ravel()
    left = upper_left = numpy.zeros(channels, int)
    for i, value in enumerate(pixel):
        if kind == 3:
            guess = (left + up[i]) // 2
        else:
            distance = [abs(p) for p in (up[i] - upper_left, left - upper_left, left + up[i] - 2 * upper_left)]
            guess = numpy.where((distance[0] <= distance[1]) & (distance[0] <= distance[2]), left,
                                numpy.where(distance[1] <= distance[2], up[i], upper_left))
        upper_left = up[i]
        left = pixel[i] = (value + guess) % 256
    return pixel.astype(numpy.uint8).ravel()
