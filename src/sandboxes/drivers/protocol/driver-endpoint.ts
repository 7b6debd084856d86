/** The address of a runtime or driver: a Unix socket, or TCP with mutual TLS. */
export type DriverEndpoint =
  | { readonly type: 'unix'; readonly path: string }
  | { readonly type: 'tls'; readonly host: string; readonly port: number }

/** Linux limits the path of a Unix socket to 107 bytes. */
const MAX_SOCKET_PATH = 107

/** Parses `unix:/path` or `https://host:port`. Throws an error that names the valid forms. */
export function parseDriverEndpoint(text: string): DriverEndpoint {
  if (text.startsWith('unix:')) return socketEndpoint(text)
  const url = URL.canParse(text) ? new URL(text) : null
  const bare = url !== null && (url.pathname === '/' || url.pathname === '') && url.search === ''
  if (url === null || url.protocol !== 'https:' || !bare) {
    throw new Error(`endpoint ${text} is neither unix:/path nor https://host:port`)
  }
  // 443 is the default port of https, which URL omits.
  const port = url.port === '' ? 443 : Number(url.port)
  return { type: 'tls', host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port }
}

/** The text of an endpoint, as parseDriverEndpoint reads it. */
export function formatDriverEndpoint(endpoint: DriverEndpoint): string {
  if (endpoint.type === 'unix') return `unix:${endpoint.path}`
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host
  return `https://${host}:${endpoint.port}`
}

function socketEndpoint(text: string): DriverEndpoint {
  // gRPC clients also write unix:///path.
  const path = text.slice('unix:'.length).replace(/^\/\/(?=\/)/, '')
  if (!path.startsWith('/')) throw new Error(`endpoint ${text} needs an absolute path: unix:/path`)
  const bytes = Buffer.byteLength(path)
  if (bytes > MAX_SOCKET_PATH) {
    throw new Error(`the path of endpoint ${text} has ${bytes} bytes, at most ${MAX_SOCKET_PATH}`)
  }
  return { type: 'unix', path }
}
