"""A gpsd with one receiver, for the tests of the page and of the app."""

import contextlib
import json
import socket
import threading

START = 52.4, 13.0
# At that latitude.
METERS_PER_DEGREE = 67_990


class Receiver:
    """Speaks the protocol of gpsd on a port of 127.0.0.1; later clients get the last report too."""

    def __init__(self, port=0, has_device=True):
        self._server = socket.create_server(("127.0.0.1", port))
        self.port = self._server.getsockname()[1]
        self.address = f"gpsd://127.0.0.1:{self.port}"
        self._lock = threading.Lock()
        self._clients, self._last = [], None
        self._has_client = threading.Event()
        self._devices = [{"class": "DEVICE", "path": "/dev/gps"}] if has_device else []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            with self._lock:
                self._clients.append(client)
                for report in [
                        {"class": "VERSION", "release": "3.22", "proto_major": 3},
                        {"class": "DEVICES", "devices": self._devices}, self._last]:
                    if report:
                        self._send_to(client, report)
            self._has_client.set()

    def wait_for_client(self):
        """Waits until someone gets every report from now on."""
        self._has_client.wait()

    @staticmethod
    def _send_to(client, report):
        # A client may have gone.
        with contextlib.suppress(OSError):
            client.sendall(json.dumps(report).encode() + b"\n")

    def _send(self, report):
        with self._lock:
            self._last = report if report["class"] == "TPV" else self._last
            for client in self._clients:
                self._send_to(client, report)

    def fix(self, meters):
        """Reports a position east of the start, as far as one walks in as many seconds."""
        latitude, longitude = START
        minutes, seconds = divmod(meters, 60)
        self._send({
            "class": "TPV", "device": "/dev/gps", "mode": 3,
            "time": f"2026-05-01T08:{minutes:02}:{seconds:02}.000Z", "lat": latitude,
            "lon": longitude + meters / METERS_PER_DEGREE, "altMSL": 30 + meters / 100, "speed": 1,
            "track": 90})

    def lose(self):
        """Reports that there is no fix."""
        self._send({"class": "TPV", "device": "/dev/gps", "mode": 1})

    def connect(self):
        """Reports a receiver that was plugged in."""
        device = {"class": "DEVICE", "path": "/dev/gps", "activated": "2026-05-01T08:00:00.000Z"}
        self._devices = [device]
        self._send(device)

    def end(self):
        # Closing alone does not end the accept.
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join()
        for client in self._clients:
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
            client.close()
