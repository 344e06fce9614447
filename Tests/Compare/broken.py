"""An executable that does one thing wrong: it runs the real executable, and changes its output.

    broken.py <way> <executable> <arguments…>
"""

import fcntl
import http.server
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import urllib.error
import urllib.request

# The names of the ways, each with the place, the text that is replaced, and what replaces it.
WAYS = {
    "digit": ("stdout", rb'("latitude":\d+\.\d*)[0-8]\b', rb"\g<1>9"),
    "order": ("stdout", rb"\A([^\n]+\n)([^\n]+\n)", rb"\2\1"),
    "lost-line": ("stdout", rb"[^\n]*\n\Z", b""),
    "line-end": ("stdout", rb"\n\Z", b"\r\n"),
    "invention": ("stdout", rb'"elevation":null', b'"elevation":0.0'),
    "word": ("stderr", rb"walking", b"replaying"),
    "silence": ("stderr", rb"(?s).+", b""),
    "code": ("code", 65, 66),
    "file": ("file", rb"index,", b"number,"),
    "file-line-end": ("file", rb"\n", b"\r\n"),
    "page": ("page", rb"<h1", b"<h2"),
    "dot": ("frame", "⠤".encode(), "⠠".encode()),
    "color": ("frame", rb"38;5;245", b"38;5;244"),
    # Nothing is broken.
    "nothing-printed": ("stdout", rb"\Zx", b""),
    "nothing-served": ("page", rb"\Zx", b""),
    "nothing-shown": ("frame", rb"\Zx", b""),
}


def run(executable, arguments, place, old, new):
    """Runs the executable with changed output; returns its exit code."""
    done = subprocess.run([executable, *arguments], capture_output=True)
    if "-o" in arguments and place == "file" and os.path.isfile(name := arguments[arguments.index("-o") + 1]):
        with open(name, "rb+") as file:
            text = re.sub(old, new, file.read())
            file.seek(0)
            file.write(text)
    for stream, name, text in (sys.stdout, "stdout", done.stdout), (sys.stderr, "stderr", done.stderr):
        stream.buffer.write(re.sub(old, new, text) if place == name else text)
    return new if place == "code" and done.returncode == old else done.returncode


def show(executable, arguments, old, new):
    """Runs the app with changed frames."""
    size = fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8))

    def read(terminal):
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
        return re.sub(old, new, os.read(terminal, 1 << 20))

    return os.waitstatus_to_exitcode(pty.spawn([executable, *arguments], read))


def serve(executable, arguments, old, new):
    """Serves the page with changed HTML."""
    index = arguments.index("--port") + 1
    port, arguments[index] = int(arguments[index]), "0"
    server = subprocess.Popen([executable, *arguments], stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().strip()

    class Proxy(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.answer(None)

        def do_POST(self):
            self.answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def answer(self, data):
            try:
                own = {"Origin": address.rstrip("/"), "X-Faketrack": "1"}
                request = urllib.request.Request(own["Origin"] + self.path, data, own)
                with urllib.request.urlopen(request) as answer:
                    status, body = answer.status, answer.read()
            except urllib.error.HTTPError as error:
                status, body = error.code, error.read()
            self.send_response(status)
            self.end_headers()
            self.wfile.write(re.sub(old, new, body))

        def log_message(self, *arguments):
            pass

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with server, http.server.ThreadingHTTPServer(("127.0.0.1", port), Proxy) as proxy:
        print(f"http://127.0.0.1:{port}/", flush=True)
        try:
            proxy.serve_forever()
        finally:
            server.terminate()


def main():
    way, executable, *arguments = sys.argv[1:]
    place, old, new = WAYS[way]
    if place == "frame" and arguments[:1] == ["app"] and os.isatty(0):
        return show(executable, arguments, old, new)
    if place == "page" and arguments[:1] == ["serve"]:
        return serve(executable, arguments, old, new)
    if os.isatty(0) or arguments[:1] == ["serve"] and "--port" in arguments:
        os.execv(executable, [executable, *arguments])
    return run(executable, arguments, place, old, new)


if __name__ == "__main__":
    sys.exit(main())
