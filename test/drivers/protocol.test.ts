import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ACTION_FOR_CODE } from '../../src/sandboxes/drivers/protocol/action-for-code.ts'
import {
  connectRuntime,
  type RuntimeConnection,
} from '../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import { type DriverCode, WIRE_CODES } from '../../src/sandboxes/drivers/protocol/driver-code.ts'
import {
  formatDriverEndpoint,
  parseDriverEndpoint,
} from '../../src/sandboxes/drivers/protocol/driver-endpoint.ts'
import { SandboxDriverError } from '../../src/sandboxes/drivers/protocol/sandbox-driver-error.ts'
import { serveDrivers } from '../../src/sandboxes/drivers/protocol/serve-drivers.ts'
import { testCertificates } from './support/test-certificates.ts'

let directory: string
let listen: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-protocol-'))
  listen = `unix:${directory}/driver.sock`
})
afterEach(() => rm(directory, { recursive: true }))

const answer = (snapshotUid: string) => ({ checkpoint: () => ({ snapshotUid }) })

describe('endpoints', () => {
  it.each([
    ['unix:/run/a.sock', 'unix:/run/a.sock'],
    ['unix:///run/a.sock', 'unix:/run/a.sock'],
    ['https://host.example:8443', 'https://host.example:8443'],
    ['https://[::1]:8443', 'https://[::1]:8443'],
    ['https://host.example', 'https://host.example:443'],
  ])('reads %s', (text, formatted) => {
    expect(formatDriverEndpoint(parseDriverEndpoint(text))).toBe(formatted)
  })

  it.each([
    'http://host:1',
    'host:1',
    'unix:relative',
    'https://host:1/path',
    `unix:/${'x'.repeat(107)}`,
  ])('rejects %s', (text) => {
    expect(() => parseDriverEndpoint(text)).toThrow(text)
  })
})

describe('sockets', () => {
  it('only the owner may connect', async () => {
    await using _server = await serveDrivers({ listen })

    expect((await stat(`${directory}/driver.sock`)).mode & 0o777).toBe(0o600)
  })

  it('rejects a socket on which another server listens', async () => {
    await using _server = await serveDrivers({ listen })

    await expect(serveDrivers({ listen })).rejects.toThrow('another process listens')
  })

  it('does not replace a file that is not a socket', async () => {
    await writeFile(`${directory}/driver.sock`, 'mine')

    await expect(serveDrivers({ listen })).rejects.toThrow('is not a socket')
  })

  it('connects again after the server restarts', async () => {
    using client = connectRuntime(listen)
    {
      await using _first = await serveDrivers({ listen, driver: answer('first') })
      expect((await client.driver.checkpoint({})).snapshotUid).toBe('first')
    }
    await expect(client.driver.checkpoint({})).rejects.toMatchObject({ code: 'UNAVAILABLE' })

    await using _second = await serveDrivers({ listen, driver: answer('second') })
    expect((await client.driver.checkpoint({})).snapshotUid).toBe('second')
  })
})

describe('connections', () => {
  /** Emits `begun` and `ended` for calls of a server. */
  let calls: EventEmitter
  /** Emits `relayed` for data of clients of the relay. */
  let relay: Server
  let clientSide: Socket
  beforeEach(async () => {
    calls = new EventEmitter()
    relay = createServer((socket) => {
      clientSide = socket.on('data', () => relay.emit('relayed')).on('error', () => undefined)
      const serverSide = connect(`${directory}/driver.sock`).on('error', () => undefined)
      socket.pipe(serverSide).pipe(socket)
    }).listen(`${directory}/relay.sock`)
    await once(relay, 'listening')
  })
  afterEach(() => void relay.close())

  const serveCalls = (pings: { readonly silenceMs: number; readonly timeoutMs: number }) =>
    serveDrivers({
      listen,
      pings,
      runtime: {
        watch: async function* (_request, { signal }) {
          calls.emit('begun')
          await once(signal, 'abort')
          yield* []
        },
      },
      admit: () => Promise.resolve({ [Symbol.dispose]: () => void calls.emit('ended') }),
    })

  /** Begins a call that lasts until the server or the client ends it. */
  async function begin({ runtime }: RuntimeConnection): Promise<void> {
    const begun = once(calls, 'begun')
    const messages = runtime.watch({})[Symbol.asyncIterator]()
    void messages.next().catch(() => undefined)
    await begun
  }

  it('end with their calls when the client has vanished', async () => {
    await using _server = await serveCalls({ silenceMs: 1000, timeoutMs: 1000 })
    using client = connectRuntime(`unix:${directory}/relay.sock`)
    const ended = once(calls, 'ended')
    await begin(client)
    clientSide.unpipe()
    await ended
  })

  it('continue while the client answers pings', async () => {
    await using _server = await serveCalls({ silenceMs: 10, timeoutMs: 60_000 })
    using client = connectRuntime(`unix:${directory}/relay.sock`)
    let isEnded = false
    calls.once('ended', () => (isEnded = true))
    await begin(client)
    for (let answers = 0; answers < 5; answers += 1) await once(relay, 'relayed')
    expect(isEnded).toBe(false)
  })
})

describe('TCP', () => {
  it('serves clients whose certificate its authority has signed', async () => {
    const tls = await testCertificates('ours')
    const driver = answer('over-tls')
    await using server = await serveDrivers({ listen: 'https://127.0.0.1:0', tls, driver })
    using client = connectRuntime(server.endpoint, { tls })

    expect((await client.driver.checkpoint({})).snapshotUid).toBe('over-tls')
  })

  it('rejects clients and servers of another authority', async () => {
    const [ours, theirs] = [await testCertificates('ours'), await testCertificates('theirs')]
    const driver = answer('secret')
    await using server = await serveDrivers({ listen: 'https://127.0.0.1:0', tls: ours, driver })
    using stranger = connectRuntime(server.endpoint, { tls: { ...theirs, ca: ours.ca } })
    using distrustful = connectRuntime(server.endpoint, { tls: { ...ours, ca: theirs.ca } })

    const unavailable = { code: 'UNAVAILABLE' }
    await expect(stranger.driver.checkpoint({})).rejects.toMatchObject(unavailable)
    await expect(distrustful.driver.checkpoint({})).rejects.toMatchObject(unavailable)
  })

  it('requires certificates', async () => {
    await expect(serveDrivers({ listen: 'https://127.0.0.1:0' })).rejects.toThrow('TLS')
    expect(() => connectRuntime('https://127.0.0.1:1')).toThrow('TLS')
  })
})

describe('errors', () => {
  const codes = Object.keys(WIRE_CODES) as DriverCode[]

  it.each(codes)('%s reaches the client with its message and reason', async (code) => {
    const fail = (): never => {
      throw new SandboxDriverError(code, `because ${code}`, { reason: 'StoreFull' })
    }
    await using _server = await serveDrivers({ listen, driver: { checkpoint: fail } })
    using client = connectRuntime(listen)

    const error = { code, message: `because ${code}`, reason: 'StoreFull' }
    await expect(client.driver.checkpoint({})).rejects.toMatchObject(error)
  })

  it('hides the message of an unexpected error and reports it to the server', async () => {
    const seen: string[] = []
    const fail = (): never => {
      throw new Error('password=hidden')
    }
    await using _server = await serveDrivers({
      listen,
      driver: { checkpoint: fail },
      onUnexpectedError: (error, method) => seen.push(`${method}: ${String(error)}`),
    })
    using client = connectRuntime(listen)
    const error: unknown = await client.driver.checkpoint({}).catch((thrown: unknown) => thrown)

    expect(error).toMatchObject({ code: 'INTERNAL' })
    expect(String(error)).not.toContain('hidden')
    expect(seen).toEqual(['Checkpoint: Error: password=hidden'])
  })

  it('translates an error in the middle of a stream', async () => {
    async function* listSnapshots() {
      yield { snapshotUid: 'a' }
      throw new SandboxDriverError('DATA_LOSS', 'broken list')
    }
    await using _server = await serveDrivers({ listen, driver: { listSnapshots } })
    using client = connectRuntime(listen)
    const found: string[] = []
    const read = async () => {
      for await (const one of client.driver.listSnapshots({})) found.push(one.snapshotUid)
    }

    await expect(read()).rejects.toMatchObject({ code: 'DATA_LOSS', message: 'broken list' })
    expect(found).toEqual(['a'])
  })

  it('calls without a deadline end after the default', async () => {
    const hang = () => new Promise<never>(() => {})
    await using _server = await serveDrivers({ listen, driver: { checkpoint: hang } })
    using client = connectRuntime(listen, { defaultTimeoutMs: 50 })

    await expect(client.driver.checkpoint({})).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  it('cancelling a call cancels it on the server', async () => {
    const seen: string[] = []
    const abort = new AbortController()
    const checkpoint = async (_request: unknown, { signal }: { readonly signal: AbortSignal }) => {
      abort.abort()
      while (!signal.aborted) await sleep(5)
      seen.push('cancelled')
      return {}
    }
    await using _server = await serveDrivers({ listen, driver: { checkpoint } })
    using client = connectRuntime(listen)
    const call = client.driver.checkpoint({}, { signal: abort.signal })

    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => seen).toEqual(['cancelled'])
  })
})

describe('actions', () => {
  it('asks for the outcome if the answer may be lost', () => {
    const asked = Object.entries(ACTION_FOR_CODE).filter(([, action]) => action === 'ask')

    expect(asked.map(([code]) => code)).toEqual(['CANCELLED', 'UNAVAILABLE'])
  })

  it('never repeats a restore of a corrupt or unknown snapshot', () => {
    expect([ACTION_FOR_CODE.DATA_LOSS, ACTION_FOR_CODE.NOT_FOUND]).toEqual(['fail', 'fail'])
  })
})
