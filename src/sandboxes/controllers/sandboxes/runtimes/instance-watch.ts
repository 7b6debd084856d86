import { type Timers, wait } from 'flotilla/controllers'
import type { Instance } from '../../../drivers/generated/proto/snapshot_driver_pb.ts'
import type { RuntimeDirectory } from './runtime-directory.ts'

const RECONNECT_MS = 500
const MAX_RECONNECT_MS = 5000

interface Options {
  readonly runtimes: Pick<RuntimeDirectory, 'list' | 'get' | 'clients' | 'onChange'>
  readonly timers: Timers
  /** An instance has changed, or its runtime was connected or disconnected. */
  readonly onInstance: (instance: Instance, runtime: string) => void
  readonly onRuntime: (runtime: string) => void
}

/** The instances of all runtimes, from their streams. */
export interface InstanceWatch extends AsyncDisposable {
  /** Whether the list of the runtime's instances is complete and current. */
  isConnected(runtime: string): boolean
  /** The last report about an instance of a sandbox. */
  find(runtime: string, uid: string, instanceId: string): Instance | null
}

interface Stream {
  readonly instances: Map<string, Instance>
  readonly stop: AbortController
  isConnected: boolean
  done: Promise<void>
}

/** Follows the instances of every registered runtime. */
export function startInstanceWatch(options: Options): InstanceWatch {
  const { runtimes, onRuntime } = options
  const streams = new Map<string, Stream>()

  function open(name: string): void {
    const stream: Stream = {
      instances: new Map(),
      stop: new AbortController(),
      isConnected: false,
      done: Promise.resolve(),
    }
    streams.set(name, stream)
    stream.done = follow(options, name, stream)
  }

  function close(name: string): void {
    streams.get(name)?.stop.abort()
    streams.delete(name)
  }

  function update(name: string): void {
    const isRegistered = runtimes.get(name) !== null
    if (isRegistered && !streams.has(name)) open(name)
    if (!isRegistered) close(name)
    onRuntime(name)
  }

  for (const { name } of runtimes.list()) open(name)
  const subscription = runtimes.onChange(update)
  return {
    isConnected: (name) => streams.get(name)?.isConnected === true,
    find: (name, uid, instanceId) =>
      streams.get(name)?.instances.get(keyOf(uid, instanceId)) ?? null,
    [Symbol.asyncDispose]: async () => {
      subscription[Symbol.dispose]()
      const opened = [...streams.values()]
      for (const { stop } of opened) stop.abort()
      await Promise.all(opened.map(({ done }) => done))
    },
  }
}

/** Reconnects until the runtime is no longer registered. */
async function follow(options: Options, name: string, stream: Stream): Promise<void> {
  const { runtimes, timers, onRuntime } = options
  const { signal } = stream.stop
  for (let failures = 0; !signal.aborted;) {
    const client = runtimes.clients(name)?.runtime
    try {
      if (client !== undefined) {
        const listed = await listInstances(client, signal)
        stream.instances.clear()
        for (const instance of listed) stream.instances.set(idOf(instance), instance)
        const changes = client.watch({}, { signal })
        failures = 0
        stream.isConnected = true
        onRuntime(name)
        for (const instance of listed) options.onInstance(instance, name)
        for await (const instance of changes) apply(options, { name, stream, instance })
      }
    } catch {
      // Unreachable runtimes are reported by `isConnected` and by the calls that need them.
    }
    const wasConnected = stream.isConnected
    stream.isConnected = false
    if (wasConnected && !signal.aborted) onRuntime(name)
    failures += 1
    await wait(timers, Math.min(MAX_RECONNECT_MS, RECONNECT_MS * failures), signal)
  }
}

type Client = NonNullable<ReturnType<RuntimeDirectory['clients']>>['runtime']

async function listInstances(client: Client, signal: AbortSignal): Promise<readonly Instance[]> {
  const listed: Instance[] = []
  for await (const instance of client.listInstances({}, { signal })) listed.push(instance)
  return listed
}

interface Report {
  readonly name: string
  readonly stream: Stream
  readonly instance: Instance
}

function apply({ onInstance }: Options, { name, stream, instance }: Report): void {
  const id = idOf(instance)
  const before = stream.instances.get(id)
  if (instance.state === 'Removed') stream.instances.delete(id)
  else stream.instances.set(id, instance)
  if (before === undefined || !looksSame(before, instance)) onInstance(instance, name)
}

/** Whether the status of a sandbox is the same with both reports. */
function looksSame(before: Instance, after: Instance): boolean {
  return (
    before.state === after.state &&
    before.readiness === after.readiness &&
    before.readinessMessage === after.readinessMessage
  )
}

function idOf({ sandbox, instanceId }: Instance): string {
  return keyOf(sandbox?.uid ?? '', instanceId)
}

function keyOf(uid: string, instanceId: string): string {
  return `${uid}/${instanceId}`
}
