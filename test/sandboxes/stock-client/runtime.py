"""A runtime as the clients of agent-sandbox expect it in an image: commands and files over HTTP."""

import json
import os
import subprocess
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

PORT = 8888
ROOT = os.getcwd()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        action, _, rest = self.path.lstrip("/").partition("/")
        path = os.path.join(ROOT, unquote(rest))
        if action == "download" and os.path.isfile(path):
            with open(path, "rb") as file:
                self.answer(200, file.read(), "application/octet-stream")
        elif action == "exists":
            self.answer_json({"path": rest, "exists": os.path.exists(path)})
        elif action == "list":
            self.answer_json([entry(each) for each in os.scandir(path)])
        else:
            self.answer(404, b"{}")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/execute":
            command = json.loads(body)["command"]
            done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
            self.answer_json(
                {"stdout": done.stdout, "stderr": done.stderr, "exit_code": done.returncode}
            )
        elif self.path == "/upload":
            head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
            for part in BytesParser().parsebytes(head + body).get_payload():
                with open(os.path.join(ROOT, part.get_filename()), "wb") as file:
                    file.write(part.get_payload(decode=True))
            self.answer_json({"message": "uploaded"})
        else:
            self.answer(404, b"{}")

    def answer_json(self, value):
        self.answer(200, json.dumps(value).encode())

    def answer(self, status, body, content_type="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def entry(found):
    status = found.stat()
    kind = "directory" if found.is_dir() else "file"
    return {"name": found.name, "size": status.st_size, "type": kind, "mod_time": status.st_mtime}


print("listening", flush=True)
ThreadingHTTPServer(("0.0.0.0", PORT), Handler).serve_forever()
