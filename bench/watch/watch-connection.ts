import { connect, type Socket } from 'node:net'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'

/** A watch as JSON lines that counts events without parsing them, so that clients need little CPU. */
export interface WatchConnection extends Disposable {
  /** Number of changes received. */
  readonly changes: number
  /** Resolves at the first bookmark. Rejects if the watch ends before it. */
  readonly started: Promise<void>
  /** Called for every change. */
  onChange: () => void
  /** Whether the connection is closed. */
  readonly isEnded: boolean
}

interface Watch {
  readonly origin: string
  /** The path of the API; by default, that of the HyperFleet API. */
  readonly base?: string
  /** Relative to the base; includes the query. */
  readonly path: string
}

/** Opens a watch on a new connection. */
export function openWatchConnection({ origin, base = BASE_PATH, path }: Watch): WatchConnection {
  const { hostname, port, host } = new URL(origin)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.setEncoding('latin1')
  socket.write(`GET ${base}${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  let rest = ''
  let changes = 0
  let isEnded = false
  let start = (): void => undefined
  const started = new Promise<void>((resolve, reject) => {
    start = resolve
    socket.once('close', () => {
      isEnded = true
      reject(new Error(`the watch ended: ${rest.slice(0, 300)}`))
    })
  })
  // Callers that do not await the start still see `isEnded`.
  started.catch(() => undefined)
  const connection = {
    get changes() {
      return changes
    },
    get isEnded() {
      return isEnded
    },
    started,
    onChange: (): void => undefined,
    [Symbol.dispose]: () => void socket.destroy(),
  }
  socket.on('error', () => undefined)
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('{"type":"')) continue
      if (line.startsWith('{"type":"BOOKMARK"')) start()
      else {
        changes += 1
        connection.onChange()
      }
    }
  })
  return connection
}
