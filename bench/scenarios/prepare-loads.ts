import type { LoadSession } from '../generator/generator.ts'
import type { Target } from '../generator/messages.ts'
import type { ServerName, ServerUnderTest } from '../servers/server-under-test.ts'
import type { Bench } from './bench.ts'
import { sampleResponses } from './sample-responses.ts'
import type { Variant } from './variant.ts'

/** A warmed-up server and the open session that sends it the requests of a variant. */
export interface PreparedLoad {
  readonly variant: string
  readonly name: ServerName | 'bare'
  readonly target: Target
  readonly session: LoadSession
}

const WARM_UP_CONNECTIONS = 16
/** Minimum rate of a warm-up: below it, the warm-up is extended. */
const MIN_REQUESTS_PER_SECOND = 2500
/** A warm-up may take this many times its planned length. */
const MAX_WARM_UP_FACTOR = 3
const MAX_STEP_SECONDS = 2

/** The minimum length of a warm-up, in seconds and in requests. */
export interface WarmUp {
  readonly seconds: number
  readonly requests?: number
}

export interface VariantLoad {
  readonly variant: Variant
  readonly servers: readonly ServerUnderTest[]
  /** A shorter one is enough for servers that have already served other variants. */
  readonly warmUp?: WarmUp
}

/** Checks that every server responds to a variant as expected, then warms up all subjects. */
export async function prepareLoads(
  { generator, bare, options }: Bench,
  { variant, servers, warmUp: planned = { seconds: options.schedule.firstWarmUp } }: VariantLoad,
): Promise<readonly PreparedLoad[]> {
  const loads: PreparedLoad[] = []
  const open = async (
    name: PreparedLoad['name'],
    target: Target,
    length = planned,
  ): Promise<void> => {
    const session = generator.open(target, variant.mix)
    loads.push({ variant: variant.name, name, target, session })
    await warmUp(session, length)
  }
  for (const [index, { name, target }] of servers.entries()) {
    const responses = await sampleResponses(target, variant)
    if (index === 0 && variant.bare === true) {
      if (responses.length > 0) await bare.respondWith(responses)
      const bareTarget = { ...target, origin: bare.origin, pid: bare.pid, postgresPid: null }
      // The bare server has no caches to fill, so the minimum of requests does not apply.
      await open('bare', bareTarget, { seconds: planned.seconds })
    }
    await open(name, target)
  }
  return loads
}

/**
 * Runs the planned warm-up. Extends it up to MAX_WARM_UP_FACTOR times if the server handled too few
 * requests for its hot code to be optimized, as on a busy machine or with slow requests.
 */
async function warmUp(session: LoadSession, planned: WarmUp): Promise<void> {
  const { seconds, requests = MIN_REQUESTS_PER_SECOND * seconds } = planned
  const limit = MAX_WARM_UP_FACTOR * Math.max(seconds, requests / MIN_REQUESTS_PER_SECOND)
  const step = Math.min(seconds, MAX_STEP_SECONDS)
  let sent = 0
  for (let passed = 0; passed < seconds || (sent < requests && passed < limit); passed += step) {
    const load = { connections: WARM_UP_CONNECTIONS, rate: null, warmUp: 0, seconds: step }
    sent += (await session.run(load)).requests
  }
}

export function closeLoads(loads: readonly PreparedLoad[]): void {
  for (const { session } of loads) session.close()
}
