import { connect, type Socket } from 'node:net'
import { BASE_PATH } from '../../src/apis/hyperfleet/base-path.ts'

/** One watch as JSON lines, of which only what is asked for is looked at: clients take little CPU. */
export interface WatchConnection extends Disposable {
  /** Changes that have come. */
  readonly changes: number
  /** Of the newest event. */
  readonly token: string
  /** Resolves with the first event. */
  readonly begun: Promise<void>
  /** Called with every change. */
  onChange: (token: string) => void
  /** Whether the server has ended it. */
  readonly isEnded: boolean
}

interface Watch {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** Below the base path, with its query. */
  readonly path: string
}

const TOKEN = '"resource_version":"'

/** Opens a watch on a connection of its own. */
export function openWatchConnection({ origin, headers, path }: Watch): WatchConnection {
  const { hostname, port, host } = new URL(origin)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const head = Object.entries({ Host: host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.setEncoding('latin1')
  socket.write([`GET ${BASE_PATH}${path} HTTP/1.1`, ...head, '', ''].join('\r\n'))
  let rest = ''
  let changes = 0
  let token = ''
  let isEnded = false
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve, reject) => {
    begin = resolve
    socket.once('close', () => {
      isEnded = true
      reject(new Error(`the watch ended: ${rest.slice(0, 300)}`))
    })
  })
  begun.catch(() => undefined)
  const connection = {
    get changes() {
      return changes
    },
    get token() {
      return token
    },
    get isEnded() {
      return isEnded
    },
    begun,
    onChange: (_token: string): void => undefined,
    [Symbol.dispose]: () => void socket.destroy(),
  }
  socket.on('error', () => undefined)
  socket.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('{"type":"')) continue
      const at = line.lastIndexOf(TOKEN) + TOKEN.length
      token = line.slice(at, line.indexOf('"', at))
      if (line.startsWith('{"type":"BOOKMARK"')) begin()
      else {
        changes += 1
        connection.onChange(token)
      }
    }
  })
  return connection
}
