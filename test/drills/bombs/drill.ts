import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '../../../src/lib/assert.ts'
import { startProgram } from '../../process/program.ts'
import type { Drill } from '../drill.ts'
import { type Bomb, BOMBS } from './bombs.ts'
import { prepareCaller, type Seen } from './other-caller.ts'
import { createRawClient, type RawClient } from './raw-client.ts'

const CONNECTIONS = 32
/** The requests that a caller may see served between its own grow by this factor at most. */
const MAX_GROWTH = 3
/** Requests that cost less may be served in any number. */
const CHEAP_MS = 10
/** A probe may wait for the request that is computed when it arrives, and for the one after. */
const MAX_PER_PROBE = 3
const UNREACHABLE = 'cannot be reached'

/** One caller sends requests that compute for long, while another one works. */
export const bombs: Drill = {
  summary: 'requests that compute for long do not stop other callers',
  cases: [
    { name: 'short', run: () => attack(2000) },
    // Enough samples for the median of each bomb and for quantiles, on a machine without other load.
    { name: 'long', run: () => attack(30_000, true) },
  ],
}

async function attack(milliseconds: number, isLong = false): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-bombs-'))
  try {
    await using program = startProgram({
      DATA_DIR: folder,
      TRUSTED_PROXIES: '127.0.0.1',
      HYPERFLEET_CLUSTER_ADAPTERS: '[]',
      LOG_LEVEL: 'info',
    })
    const { port, healthPort } = await program.ready()
    const origin = `http://127.0.0.1:${port}`
    using health = createRawClient(`http://127.0.0.1:${healthPort}`, '10.3.0.1')
    using caller = createRawClient(origin, '10.1.0.1')
    using bomber = createRawClient(origin, '10.2.0.1')
    const work = await prepareCaller(caller)
    const alone = await work({ health, served: () => 0, signal: AbortSignal.timeout(3000) })
    const problems = problemsOf('nothing', alone)
    const before = totals(alone)
    console.log(`alone: ${before.length} requests, ${spread(before)} between`)
    const expensive: number[] = []
    for (const bomb of BOMBS) {
      await bomb.prepare?.(bomber)
      const thrown = await throwBomb({ bomb, bomber, health, work, milliseconds }, program.pid)
      problems.push(...thrown.problems)
      if (thrown.isCheap) continue
      const during = totals(thrown.seen)
      expensive.push(...during)
      if (isLong) problems.push(...growthOfEach(bomb.name, before, thrown.seen))
    }
    problems.push(...growthOf('all expensive bombs', { before, during: expensive, part: 0.5 }))
    if (isLong) {
      problems.push(...growthOf('all expensive bombs', { before, during: expensive, part: 0.99 }))
    }
    assert(problems.length === 0, `\n${problems.join('\n')}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function growthOfEach(name: string, before: readonly number[], seen: Seen): readonly string[] {
  const problems = growthOf(name, { before, during: totals(seen), part: 0.5 })
  const most = Math.max(...seen.probes)
  return most > MAX_PER_PROBE ? [...problems, `${name}: ${most} served during a probe`] : problems
}

interface Attack {
  readonly bomb: Bomb
  readonly bomber: RawClient
  readonly health: RawClient
  readonly work: Awaited<ReturnType<typeof prepareCaller>>
  readonly milliseconds: number
}

async function throwBomb(
  { bomb, bomber, health, work, milliseconds }: Attack,
  pid: number,
): Promise<{ seen: Seen; problems: readonly string[]; isCheap: boolean }> {
  const stop = new AbortController()
  const statuses = new Map<number, number>()
  let served = 0
  let isUnreachable = false
  const cpu = cpuMs(pid)
  const throwing = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    for (let number = connection; !stop.signal.aborted; number += CONNECTIONS) {
      const { status, text } = await bomber.send(bomb.request(number))
      // A rejection takes the server no time, and a broken connection got no response.
      if (status !== 429 && status !== 0) served += 1
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      isUnreachable ||= text.includes(UNREACHABLE)
    }
  })
  const seen = work({ health, served: () => served, signal: stop.signal })
  await Promise.race([sleep(milliseconds), ...throwing])
  stop.abort()
  const result = await seen
  const duringMs = cpuMs(pid) - cpu
  const during = served
  await Promise.all(throwing)
  const isCheap = during > 0 && duringMs / during < CHEAP_MS
  console.log(lineOf(bomb.name, { result, served: during, statuses, isCheap }))
  const problems = problemsOf(bomb.name, result)
  if (isUnreachable) problems.push(`${bomb.name}: the server said '${UNREACHABLE}'`)
  return { seen: result, problems, isCheap }
}

function problemsOf(name: string, { failures, events, probes }: Seen): string[] {
  const problems = [...new Set(failures)].slice(0, 3).map((failure) => `${name}: ${failure}`)
  if (events === 0) problems.push(`${name}: the watch received no event`)
  if (probes.length === 0) problems.push(`${name}: no probe was answered`)
  return problems
}

interface Growth {
  readonly before: readonly number[]
  readonly during: readonly number[]
  readonly part: number
}

function growthOf(name: string, { before, during, part }: Growth): readonly string[] {
  const [alone, attacked] = [quantile(before, part), quantile(during, part)]
  if (attacked <= MAX_GROWTH * Math.max(alone, 1)) return []
  return [`${name}: quantile ${part} of requests between own ones is ${attacked}, ${alone} alone`]
}

/** The median and the quantile 0.99. */
function spread(values: readonly number[]): string {
  return [0.5, 0.99].map((part) => quantile(values, part)).join('/')
}

const totals = ({ between }: Seen): readonly number[] =>
  between.map(({ others, own }) => others + own)

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((first, second) => first - second)
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0
}

interface Line {
  readonly result: Seen
  readonly served: number
  readonly statuses: ReadonlyMap<number, number>
  readonly isCheap: boolean
}

function lineOf(name: string, { result, served, statuses, isCheap }: Line): string {
  const counts = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
  const between = spread(totals(result))
  return `${name}: ${served} served${isCheap ? ' (cheap)' : ''} (${counts}); ${result.between.length} of the other caller, ${between} between; at most ${Math.max(...result.probes)} in a probe`
}

/** The CPU time of a process. */
function cpuMs(pid: number): number {
  const [, , , , , , , , , , , user = '0', system = '0'] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(user) + Number(system)) * 10
}
