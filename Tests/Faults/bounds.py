"""Endless and huge input from files, peers and users: each run ends in time, in little memory.

    bounds.py <faketrack>
"""

import base64
import hashlib
import http.client
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time

from harness import CODES, Report, Row, environment, start, track, write

SECONDS = 30
MEGABYTES = 200


def peak(process):
    """The peak memory of a running process in MB; 0 if it has ended."""
    try:
        with open(f"/proc/{process.pid}/status") as status:
            found = re.search(r"VmHWM:\s+(\d+)", status.read())
    except OSError:
        return 0
    return int(found[1]) // 1024 if found else 0


def outcome(process, seconds=SECONDS):
    """Waits for a run, and returns a description and its fault or None."""
    begin, memory, errors = time.monotonic(), 0, []
    drains = [
        threading.Thread(target=lambda: errors.append(process.stderr.read())),
        threading.Thread(target=drain, args=(process.stdout,))]
    for thread in drains:
        thread.start()
    while process.poll() is None:
        memory = max(memory, peak(process))
        if time.monotonic() - begin > seconds or memory > 4 * MEGABYTES:
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(0.005)
    for thread in drains:
        thread.join()
    words = [line for line in errors[0].decode(errors="replace").splitlines() if not line.startswith("photos:")]
    said = f"{time.monotonic() - begin:.1f} s, {memory} MB, ended with {process.returncode}: {words[0] if words else ''}"
    is_fine = process.returncode in CODES and memory < MEGABYTES
    return said, None if is_fine else said


def memory_of(said):
    return int(re.search(r"(\d+) MB", said)[1])


def drain(stream):
    while stream.read(1 << 16):
        pass


class Peer:
    """A TCP server on a free port of 127.0.0.1; `talk(socket)` serves each connection."""

    def __init__(self, talk):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.talk = talk
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            try:
                self.talk(connection)
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.listener.close()


def endless(piece, head=b""):
    """A peer that sends a piece again and again."""
    def talk(connection):
        connection.sendall(head)
        data = piece * max(1, (1 << 16) // len(piece))
        while True:
            connection.sendall(data)
    return talk


def request(connection):
    """The head of a request."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(4096)
        if not piece:
            raise OSError
        data += piece
    return data.decode()


def frame(payload, final=True, first=True):
    """A WebSocket frame of a server."""
    size = len(payload)
    length = bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 1 << 16 else (
        b"\x7f" + struct.pack(">Q", size))
    return bytes([(0x80 if final else 0) | (1 if first else 0)]) + length + payload


def message(connection):
    """The next message of a client, as JSON."""
    def take(count):
        data = b""
        while len(data) < count:
            piece = connection.recv(count - len(data))
            if not piece:
                raise OSError
            data += piece
        return data
    kind, size = take(2)
    if kind & 0xF == 8:
        raise OSError  # It closes the connection.
    size &= 0x7F
    if size == 126:
        size, = struct.unpack(">H", take(2))
    elif size == 127:
        size, = struct.unpack(">Q", take(8))
    mask, data = take(4), take(size)
    return json.loads(bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))


def browser(answer, events=b"", first=b""):
    """A debugging port whose browser answers `answer(method)`, and then sends events without end.

    Without `answer` it only sends, and reads no calls.
    """
    def talk(connection):
        head = request(connection)
        if "Upgrade:" not in head and "upgrade:" not in head:
            host = re.search(r"(?i)host: (\S+)", head)[1]
            body = json.dumps({"webSocketDebuggerUrl": f"ws://{host}/devtools/browser/x"}).encode()
            return connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        key = re.search(r"(?i)sec-websocket-key: (\S+)", head)[1]
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        connection.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        connection.sendall(first)
        if answer is None:
            return flood(connection, events)
        if events:
            threading.Thread(target=flood, args=(connection, events), daemon=True).start()
        while True:
            call = message(connection)
            for reply in answer(call["method"]):
                connection.sendall(frame(json.dumps({"id": call["id"], **reply}).encode()))
    return talk


def flood(connection, events):
    try:
        while True:
            connection.sendall(events)
    except OSError:
        pass


def tabs(count):
    """The answers of a browser with many tabs."""
    def answer(method):
        result = {"sessionId": "S"}
        if method == "Target.getTargets":
            result = {"targetInfos": [
                {"targetId": f"T{index}", "type": "page", "url": f"http://h{index}/"} for index in range(count)]}
        elif method == "browsingContext.getTree":
            result = {"contexts": [
                {"context": f"T{index}", "url": f"http://h{index}/", "parent": None} for index in range(count)]}
        return [{"type": "success", "result": result}]
    return answer


def progressive(width, height):
    """A progressive JPEG with a single scan of each color, which breaks off."""
    def segment(marker, body):
        return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body
    frame_head = struct.pack(">BHHB", 8, height, width, 3) + bytes([1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
    codes = bytes([1] + [0] * 16)
    return (b"\xff\xd8" + segment(0xDB, bytes([0]) + bytes([1] * 64)) + segment(0xC2, frame_head)
            + segment(0xC4, b"\0" + codes) + segment(0xDA, bytes([3, 1, 0, 2, 0, 3, 0, 0, 0, 0])) + b"\0" * 64
            + b"\xff\xd9")


class Cases:
    def __init__(self, folder, report):
        self.folder, self.report = folder, report
        self.env = environment(os.path.join(folder, "home"))
        self.walk = write(folder, "walk.gpx", track(30))

    def ends(self, row, name, *arguments, stdin=subprocess.DEVNULL, env=None):
        said, fault = outcome(start(arguments, env or self.env, stdin=stdin))
        print(f"  {name}: {said}", flush=True)
        row.case(name, fault)

    def files(self):
        replay = ["replay", self.walk, "--photos", "none", "--no-cities"]
        pictures = os.path.join(self.folder, "endless")
        os.makedirs(pictures)
        os.symlink("/dev/zero", os.path.join(pictures, "a.jpg"))
        os.mkfifo(os.path.join(pictures, "b.jpg"))
        golden = '{"latitude":52.4,"longitude":13.06,"time":"2026-05-01T08:00:00Z"}'
        with Row(self.report, "files without an end") as row:
            self.ends(row, "script", *replay, "--permission-script", "/dev/zero")
            self.ends(row, "golden file", "check", self.walk, "--matches", "/dev/zero")
            with subprocess.Popen(["yes", golden], stdout=subprocess.PIPE) as lines:
                self.ends(row, "golden lines", "check", self.walk, "--matches", "/dev/stdin", stdin=lines.stdout)
                lines.kill()
            self.ends(row, "tracks", "info", "--tracks-from", "/dev/zero")
            self.ends(row, "resume", *replay, self.walk, "--format", "ndjson", "--resume", "/dev/zero")
            self.ends(row, "import", "cities", "import", "/dev/zero")
            self.ends(row, "regions", "cities", "import", self.walk, "--regions", "/dev/zero")
            self.ends(row, "GPX", "info", "/dev/zero")
            for name in ["check", "replay"]:
                page = os.path.join(self.folder, "page.html")
                options = {"check": ["--enters", "52.4,13.06,1km"], "replay": ["--format", "html", "-o", page]}[name]
                with subprocess.Popen(["yes", "<gpx>"], stdout=subprocess.PIPE) as lines:
                    self.ends(row, f"{name} of standard input", name, "-", *options, stdin=lines.stdout)
                    lines.kill()
            self.ends(row, "pictures", "replay", self.walk, "--photos", pictures, "--camera-sync", "a.jpg=2026-05-01T08:00:00Z")

    def peers(self):
        walk = ["replay", self.walk, "--photos", "none", "--no-cities", "--speed", "1000"]
        html = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        created = frame(json.dumps({"method": "Target.targetCreated", "params": {"targetInfo": {
            "targetId": "T", "type": "page", "url": "http://h/", "title": "x" * 30_000}}}).encode())
        context = frame(json.dumps({"type": "event", "method": "browsingContext.contextCreated", "params": {
            "context": "c", "url": "http://h/", "children": [], "parent": None, "x": "x" * 30_000}}).encode())
        device = b'{"class":"VERSION"}\n'
        with Row(self.report, "peers without an end") as row:
            feeds = {
                "android lines": ("android:{}", endless(b"Android Console: Authentication required\r\n")),
                "android line": ("android:{}", endless(b"x", b"Android Console")),
                "chrome head": ("chrome:127.0.0.1:{}", endless(b"X: x\r\n", b"HTTP/1.1 200 OK\r\n")),
                "chrome body": ("chrome:127.0.0.1:{}", endless(b"x", html)),
                "chrome events": ("chrome:127.0.0.1:{}", browser(lambda method: [], created)),
                "chrome tabs": ("chrome:127.0.0.1:{}", browser(tabs(600_000))),
                "10,000 chrome tabs": ("chrome:127.0.0.1:{}", browser(tabs(10_000))),
                "chrome pings": ("chrome:127.0.0.1:{}", browser(None, b"\x89\x7d" + b"x" * 125)),
                "chrome empty messages": ("chrome:127.0.0.1:{}", browser(lambda method: [], b"\x81\x00" * 1_000)),
                "chrome fragments": ("chrome:127.0.0.1:{}", browser(lambda method: [], frame(b"x" * 60_000, False, False), frame(b"x", False))),
                "BiDi tabs": ("webdriver:ws://127.0.0.1:{}/session/1", browser(tabs(600_000))),
                "10,000 BiDi tabs": ("webdriver:ws://127.0.0.1:{}/session/1", browser(tabs(10_000))),
                "BiDi events": ("webdriver:ws://127.0.0.1:{}/session/1", browser(lambda method: [], context)),
                "webdriver body": ("webdriver:http://127.0.0.1:{}/session/1", endless(b" ", html)),
                "traccar body": ("traccar:http://127.0.0.1:{}/", endless(b"x", html)),
                "owntracks body": ("owntracks:http://127.0.0.1:{}/", endless(b"x", html)),
            }
            for name, (target, talk) in feeds.items():
                with Peer(talk) as peer:
                    self.ends(row, name, *walk, "--feed", target.format(peer.port))
            tools = os.path.join(self.folder, "tools")
            os.chmod(write(tools, "xcrun", "#!/bin/sh\nexec yes\n"), 0o755)
            self.ends(row, "simctl", *walk, "--feed", "simulator:booted", env={
                **self.env, "PATH": f"{tools}:{os.environ['PATH']}"})
        with Row(self.report, "receivers without an end") as row:
            def names(connection):
                number = 0
                connection.sendall(device)
                while True:
                    lines = b"".join(
                        b'{"class":"DEVICE","path":"/dev/%s%d"}\n' % (b"x" * 300, number + index) for index in range(500))
                    number += 500
                    connection.sendall(lines)
            for name, talk in {"gpsd line": endless(b"x"), "gpsd line behind others": endless(b"x", device),
                               "gpsd devices": names}.items():
                with Peer(talk) as peer:
                    process = start(["replay", f"gpsd://127.0.0.1:{peer.port}", "--photos", "none", "--no-cities"], self.env)
                    # A receiver is heard until Ctrl-C.
                    timer = threading.Timer(12, os.killpg, (process.pid, signal.SIGINT))
                    timer.start()
                    said, fault = outcome(process)
                    timer.cancel()
                    print(f"  {name}: {said}", flush=True)
                    row.case(name, None if re.search(r"ended with (-2|130):", said) and memory_of(said) < MEGABYTES else fault)

    def page(self):
        pictures = os.path.join(self.folder, "pictures")
        # Far beyond all memory, nearly all of it for one picture, several at once.
        sizes = [(16_000, 16_000), (5_000, 5_000), (4_000, 3_000)]
        for index in range(90):
            stamp = f"IMG_20260501_08{index % 30:02}{index // 30:02}"
            write(pictures, f"{stamp}.jpg", progressive(*sizes[index % 3]))
        process = start(
            ["serve", self.walk, "--photos", pictures, "--photo-times", "loose", "--port", "0"], self.env)
        threading.Thread(target=process.stderr.read, daemon=True).start()
        try:
            ready, _, _ = select.select([process.stdout], [], [], SECONDS)
            port = int(re.search(rb":(\d+)/", process.stdout.readline())[1]) if ready else 0
            with Row(self.report, "clients of the page") as row:
                self.client(row, process, "40,000 parts", 422, lambda: self.upload(port))
                self.client(row, process, "parts at the limit", 422, lambda: self.upload(port, 800_000))
                self.client(
                    row, process, "90 small pictures", {"200 image/jpeg": 60, "200 image/svg+xml": 30},
                    lambda: self.small(port, pictures))
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()

    def client(self, row, process, name, expected, act):
        begin = time.monotonic()
        said = act()
        took = time.monotonic() - begin
        memory = peak(process)
        print(f"  {name}: {took:.1f} s, {memory} MB: {said}", flush=True)
        is_fine = memory < MEGABYTES and took < SECONDS and said == expected
        row.case(name, None if is_fine else f"{took:.1f} s, {memory} MB: {said}")

    @staticmethod
    def upload(port, parts=40_000):
        part = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'[: 32_000_000 // parts]
        body = part * parts + b"--b--\r\n"
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("POST", "/tracks", body[: 32 << 20], {
            "Content-Type": "multipart/form-data; boundary=b", "Origin": f"http://127.0.0.1:{port}", "X-Faketrack": "1"})
        return connection.getresponse().status

    @staticmethod
    def small(port, pictures):
        """Asks for all small pictures at once."""
        def mix(value):
            mask = (1 << 64) - 1
            value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & mask
            value = (value ^ (value >> 27)) * 0x94D049BB133111EB & mask
            return value ^ (value >> 31)

        def name(path):
            words = []
            for seed in (1, 2):
                value = seed
                for byte in path.encode():
                    value = mix((value + 0x9E3779B9 + byte) & ((1 << 64) - 1))
                digits = ""
                while value:
                    value, digit = divmod(value, 36)
                    digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
                words.append(digits)
            return "".join(words)
        kinds = {}

        def get(path):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", f"/photos/own/{name(path)}/small")
            answer = connection.getresponse()
            answer.read()
            kind = f"{answer.status} {answer.headers['Content-Type']}"
            kinds[kind] = kinds.get(kind, 0) + 1
        threads = [threading.Thread(target=get, args=(os.path.join(pictures, each),)) for each in os.listdir(pictures)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return kinds


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(folder, report)
        for part in [cases.files, cases.peers, cases.page]:
            part()
    report.finish()


if __name__ == "__main__":
    main()
