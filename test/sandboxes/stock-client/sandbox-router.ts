import { createServer, type IncomingMessage } from 'node:http'
import { must } from '../../../src/lib/assert.ts'
import { listen } from '../../../src/lib/listen.ts'

/** Sends the request of its input to the port inside of the sandbox, and prints the response. */
const FORWARD = `
import base64, http.client, json, sys
request = json.load(sys.stdin)
connection = http.client.HTTPConnection("127.0.0.1", request["port"])
body = base64.b64decode(request["body"])
connection.request(request["method"], request["path"], body, request["headers"])
response = connection.getresponse()
content = base64.b64encode(response.read()).decode()
print(json.dumps({"status": response.status, "type": response.getheader("Content-Type"), "body": content}))
`

interface Forwarded {
  readonly status: number
  readonly type: string
  readonly body: string
}

/**
 * A router as agent-sandbox has one: a request names its sandbox and port in headers. It enters the
 * network of the sandbox with `exec`.
 */
export async function startSandboxRouter(
  origin: string,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    void forward(origin, request).then(
      ({ status, type, body }) =>
        response.writeHead(status, { 'Content-Type': type }).end(Buffer.from(body, 'base64')),
      (error: unknown) => response.writeHead(502).end(String(error)),
    )
  })
  const port = await listen(server, 0, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function forward(origin: string, request: IncomingMessage): Promise<Forwarded> {
  const { headers, method, url } = request
  const body = await bytesOf(request)
  const namespace = headerOf(request, 'x-sandbox-namespace')
  const sandbox = headerOf(request, 'x-sandbox-id')
  const given = {
    method,
    path: url,
    port: Number(headerOf(request, 'x-sandbox-port')),
    headers:
      headers['content-type'] === undefined ? {} : { 'Content-Type': headers['content-type'] },
    body: body.toString('base64'),
  }
  const path = `/apis/agents.x-k8s.io/v1beta1/namespaces/${namespace}/sandboxes/${sandbox}/exec`
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      command: ['/usr/bin/python3', '-c', FORWARD],
      stdin: JSON.stringify(given),
    }),
  })
  const lines = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const output = lines
    .filter(({ stream }) => stream === 'stdout')
    .map(({ data }) => Buffer.from(data, 'base64').toString())
    .join('')
  if (output === '') throw new Error(`no response from ${sandbox}: ${JSON.stringify(lines)}`)
  return JSON.parse(output)
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  return must(headers[name], `the header ${name}`).toString()
}
