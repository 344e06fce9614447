"""A photo service on loopback that answers as Flickr does."""

import contextlib
import http.server
import json
import threading
import urllib.parse


class Flickr(http.server.BaseHTTPRequestHandler):
    """Answers every search with the photos that `photos` makes for its place."""

    def photos(self, latitude, longitude):
        """The places of the photos, each a latitude and a longitude, by their ids."""
        raise NotImplementedError

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        found = [
            {"id": number, "owner": "1@N01", "secret": "a", "server": "1", "title": "",
             "latitude": latitude, "longitude": longitude, "license": "4"}
            for number, (latitude, longitude) in
            self.photos(float(query["lat"][0]), float(query["lon"][0])).items()]
        body = json.dumps({"stat": "ok", "photos": {
            "page": 1, "pages": 1, "perpage": 250, "total": str(len(found)),
            "photo": found}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def serving(handler):
    """Serves until the block ends; gives the variables that lead faketrack there."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield {"FLICKR_API_KEY": "0123456789abcdef0123456789abcdef",
               "FAKETRACK_FLICKR_URL": f"http://127.0.0.1:{server.server_port}/"}
    finally:
        server.shutdown()
