import { setTimeout as sleep } from 'node:timers/promises'
import { requestRenderer } from './bench-request.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Load, LoadResult, Target } from './messages.ts'
import { createMeter, type Meter } from './meter.ts'
import type { RequestSource } from './request-source.ts'
import type { ParsedResponse } from './response-parser.ts'

/** A connection and the request in flight on it. */
interface Worker {
  readonly connection: Connection
  /** The source of the request in flight; null while idle. */
  source: RequestSource | null
  /** When the request was due. */
  since: number
}

const RESPONSE_TIMEOUT_MS = 60_000
/** A sample is extended until it has this many responses, or until the timeout. */
const MIN_RESPONSES = 5
const MIN_RESPONSES_TIMEOUT_MS = 15_000

/** Puts a load on a server and measures it. Rejects at the first unexpected response. */
export async function runLoad(
  target: Target,
  load: Load,
  nextSource: () => RequestSource,
): Promise<LoadResult> {
  const render = requestRenderer(target)
  const meter = createMeter(target)
  let failWith: (error: Error) => void = () => undefined
  const failure = new Promise<never>((_, reject) => {
    failWith = reject
  })
  const send: Send = (worker, since) => {
    const source = nextSource()
    worker.source = source
    worker.since = since
    worker.connection.send(render(source.next()))
  }
  const arrivals = load.rate === null ? closedLoop(send) : constantRate(send, load.rate)
  const workers = await Promise.all(
    Array.from({ length: load.connections }, () =>
      openWorker(target.origin, {
        meter,
        onIdle: arrivals.onIdle,
        onFailure: (error) => failWith(error),
      }),
    ),
  )
  const measure = async (): Promise<void> => {
    arrivals.start(workers)
    await sleep(load.warmUp * 1000)
    meter.begin()
    await sleep(load.seconds * 1000)
    await untilResponses(meter, Math.min(load.connections, MIN_RESPONSES))
    meter.end()
    arrivals.stop()
    await untilIdle(workers)
  }
  try {
    await Promise.race([measure(), failure])
  } finally {
    arrivals.stop()
    for (const { connection } of workers) connection.close()
  }
  return meter.result()
}

interface WorkerEvents {
  readonly meter: Meter
  readonly onIdle: (worker: Worker) => void
  readonly onFailure: (error: Error) => void
}

async function openWorker(origin: string, events: WorkerEvents): Promise<Worker> {
  const { meter, onIdle, onFailure } = events
  let worker: Worker | null = null
  const connection = await openConnection(origin, {
    onFailure,
    onResponse: (response) => {
      if (worker === null || worker.source === null) {
        onFailure(new Error('received a response without a request'))
        return
      }
      const { source, since } = worker
      worker.source = null
      if (response.status === source.expectedStatus) {
        meter.record(source.operation, response, performance.now() - since)
      } else if (source.rejectionStatuses.includes(response.status)) {
        meter.recordRejection()
      } else {
        onFailure(unexpectedResponse(source, response))
        return
      }
      onIdle(worker)
    },
  })
  worker = { connection, source: null, since: 0 }
  return worker
}

function unexpectedResponse(
  { operation, expectedStatus }: RequestSource,
  { status, text }: ParsedResponse,
): Error {
  return new Error(`${operation} returned ${status} instead of ${expectedStatus}: ${text}`)
}

/** Decides when workers send their requests. */
interface ArrivalProcess {
  start(workers: readonly Worker[]): void
  /** A worker received its response. */
  onIdle(worker: Worker): void
  stop(): void
}

type Send = (worker: Worker, since: number) => void

/** Each worker sends its next request as soon as it has received a response. */
function closedLoop(send: Send): ArrivalProcess {
  let stopped = false
  const sendNow = (worker: Worker): void => {
    if (!stopped) send(worker, performance.now())
  }
  return {
    start: (workers) => workers.forEach(sendNow),
    onIdle: sendNow,
    stop: () => {
      stopped = true
    },
  }
}

/**
 * Requests are due at a constant rate, independent of the responses. If no worker is idle, a request
 * waits, and its latency includes the wait.
 */
function constantRate(send: Send, rate: number): ArrivalProcess {
  const idle: Worker[] = []
  let timer: NodeJS.Timeout | null = null
  let start = 0
  let sent = 0
  const sendDue = (): void => {
    const due = ((performance.now() - start) / 1000) * rate
    while (sent < due) {
      const worker = idle.shift()
      if (worker === undefined) return
      send(worker, start + (sent / rate) * 1000)
      sent += 1
    }
  }
  return {
    start: (workers) => {
      idle.push(...workers)
      start = performance.now()
      timer = setInterval(sendDue, 1)
    },
    onIdle: (worker) => void idle.push(worker),
    stop: () => clearInterval(timer ?? undefined),
  }
}

async function untilResponses(meter: Meter, count: number): Promise<void> {
  const deadline = performance.now() + MIN_RESPONSES_TIMEOUT_MS
  while (meter.responses() < count && performance.now() < deadline) await sleep(20)
}

async function untilIdle(workers: readonly Worker[]): Promise<void> {
  const deadline = performance.now() + RESPONSE_TIMEOUT_MS
  while (workers.some(({ source }) => source !== null)) {
    if (performance.now() > deadline)
      throw new Error(`no response within ${RESPONSE_TIMEOUT_MS} ms`)
    await sleep(2)
  }
}
