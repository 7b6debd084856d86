export const PYTHON = '/usr/bin/python3'

/**
 * A program that prints its port, then counts every 20 ms in memory, in the file `counter` and in its
 * output, and serves the count over HTTP. Port 0 leaves the choice to the machine.
 */
export function counterProgram(port: number): readonly string[] {
  return [PYTHON, '-c', COUNTER, `${port}`]
}

const COUNTER = `
import http.server, sys, threading, time
state = {'count': 0}
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = str(state['count']).encode()
        self.send_response(200); self.send_header('content-length', str(len(body))); self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
log = open('counter', 'w')
while True:
    state['count'] += 1
    log.write(str(state['count']) + '\\n'); log.flush()
    print(state['count'], flush=True)
    time.sleep(0.02)
`
