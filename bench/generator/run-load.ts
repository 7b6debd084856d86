import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'
import type { Load, LoadResult, Target } from './messages.ts'
import { createMeter, type Meter } from './meter.ts'
import { requestRenderer } from './render-request.ts'
import type { RequestSource } from './request-source.ts'
import type { ParsedAnswer } from './response-parser.ts'

/** A connection and the request that it carries. */
interface Lane {
  readonly connection: Connection
  source: RequestSource | null
  /** When the request was, or should have been, sent. */
  since: number
}

/** What a way of sending does when a lane is free again. */
type OnFree = (lane: Lane) => void

const PATIENCE_MS = 60_000
const FEWEST_ANSWERS = 5
const SLOW_PATIENCE_MS = 15_000

/**
 * Puts a load on a server and measures it. Rejects at the first answer that is not as expected: a
 * measurement of failures is worth nothing.
 */
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
  const send = (lane: Lane, since: number): void => {
    const source = nextSource()
    lane.source = source
    lane.since = since
    lane.connection.send(render(source.next()))
  }
  const way = load.rate === null ? unpaced(send) : paced(send, load.rate)
  const lanes = await Promise.all(
    Array.from({ length: load.connections }, () =>
      openLane(target.origin, { meter, onFree: way.onFree, onFailure: (error) => failWith(error) }),
    ),
  )
  const work = async (): Promise<void> => {
    way.start(lanes)
    await sleep(load.warmUp * 1000)
    meter.begin()
    await sleep(load.seconds * 1000)
    await enough(meter, Math.min(load.connections, FEWEST_ANSWERS))
    meter.end()
    way.stop()
    await idle(lanes)
  }
  try {
    await Promise.race([work(), failure])
  } finally {
    way.stop()
    for (const { connection } of lanes) connection.close()
  }
  return meter.result()
}

interface LaneEvents {
  readonly meter: Meter
  readonly onFree: OnFree
  readonly onFailure: (error: Error) => void
}

async function openLane(origin: string, events: LaneEvents): Promise<Lane> {
  const { meter, onFree, onFailure } = events
  let lane: Lane | null = null
  const connection = await openConnection(origin, {
    onFailure,
    onAnswer: (answer) => {
      if (lane === null || lane.source === null) {
        onFailure(new Error('an answer that nothing asked for'))
        return
      }
      const { source, since } = lane
      lane.source = null
      if (answer.status === source.expectedStatus) {
        meter.record(source.operation, answer, performance.now() - since)
      } else if (source.refusals.includes(answer.status)) {
        meter.refuse()
      } else {
        onFailure(unexpected(source, answer))
        return
      }
      onFree(lane)
    },
  })
  lane = { connection, source: null, since: 0 }
  return lane
}

function unexpected({ operation, expectedStatus }: RequestSource, answer: ParsedAnswer): Error {
  return new Error(
    `${operation} was answered with ${answer.status} instead of ${expectedStatus}: ${answer.text}`,
  )
}

interface Way {
  start(lanes: readonly Lane[]): void
  readonly onFree: OnFree
  stop(): void
}

type Send = (lane: Lane, since: number) => void

/** Every connection sends its next request when it has the answer to the one before. */
function unpaced(send: Send): Way {
  let stopped = false
  const sendNow = (lane: Lane): void => {
    if (!stopped) send(lane, performance.now())
  }
  return {
    start: (lanes) => lanes.forEach(sendNow),
    onFree: sendNow,
    stop: () => {
      stopped = true
    },
  }
}

/**
 * Requests are due at even distances, whether or not the answers keep up: one that finds no
 * connection free waits, and its time counts from when it was due.
 */
function paced(send: Send, rate: number): Way {
  const free: Lane[] = []
  let timer: NodeJS.Timeout | null = null
  let start = 0
  let sent = 0
  const sendDue = (): void => {
    const due = ((performance.now() - start) / 1000) * rate
    while (sent < due) {
      const lane = free.shift()
      if (lane === undefined) return
      send(lane, start + (sent / rate) * 1000)
      sent += 1
    }
  }
  return {
    start: (lanes) => {
      free.push(...lanes)
      start = performance.now()
      timer = setInterval(sendDue, 1)
    },
    onFree: (lane) => void free.push(lane),
    stop: () => clearInterval(timer ?? undefined),
  }
}

/** Where answers are slow, a measurement goes on until there are some. */
async function enough(meter: Meter, answers: number): Promise<void> {
  const deadline = performance.now() + SLOW_PATIENCE_MS
  while (meter.answers() < answers && performance.now() < deadline) await sleep(20)
}

/** Waits until every request has its answer. */
async function idle(lanes: readonly Lane[]): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (lanes.some(({ source }) => source !== null)) {
    if (performance.now() > deadline) throw new Error(`no answer within ${PATIENCE_MS} ms`)
    await sleep(2)
  }
}
