import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds } from '../../../bench/measure/process-cpu.ts'

/** Servers use some CPU time without requests. */
const IDLE_MS = 1000

/** One request of a load. */
export interface LoopRequest {
  readonly url: string
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The figures of a load. */
export interface LoopResult {
  readonly perSecond: number
  readonly medianMs: number
  /** CPU time of the measured processes for each request, without their idle time, in microseconds. */
  readonly cpuMicros: number
}

interface Options {
  readonly connections: number
  readonly seconds: number
  /** The processes whose CPU time is measured. */
  readonly pids: readonly number[]
  readonly next: () => LoopRequest
}

/** Sends requests one after the other on each connection. Throws if a response is not a success. */
export async function closedLoop({
  connections,
  seconds,
  pids,
  next,
}: Options): Promise<LoopResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const cpu = (): number => pids.reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0), 0)
  const idleBefore = cpu()
  await sleep(IDLE_MS)
  const idlePerMs = (cpu() - idleBefore) / IDLE_MS
  const cpuBefore = cpu()
  const start = performance.now()
  const end = start + seconds * 1000
  const run = async (): Promise<void> => {
    while (performance.now() < end) {
      const begin = performance.now()
      await send(agent, next())
      times.push(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: connections }, run))
  const elapsed = (performance.now() - start) / 1000
  const used = cpu() - cpuBefore - idlePerMs * elapsed * 1000
  const cpuMicros = (used * 1e6) / times.length
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  return {
    perSecond: times.length / elapsed,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    cpuMicros,
  }
}

function send(agent: Agent, { url, method = 'GET', headers, body }: LoopRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const outgoing = request(url, { agent, method, headers: { ...headers, ...type } }, (answer) => {
      const { statusCode = 0 } = answer
      answer.once('error', reject).resume()
      answer.once('end', () => {
        if (statusCode < 300) resolve()
        else reject(new Error(`${method} ${url}: ${statusCode}`))
      })
    })
    outgoing.once('error', reject).end(body)
  })
}
