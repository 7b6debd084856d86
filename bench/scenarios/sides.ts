import type { LoadSession } from '../generator/generator.ts'
import type { Target } from '../generator/messages.ts'
import type { Contender, ContenderName } from '../servers/contender.ts'
import type { Bench } from './bench.ts'
import { sampleAnswers } from './sample-answers.ts'
import type { Variant } from './variant.ts'

/** Somebody to whom the requests of a variant go, warmed up. */
export interface Side {
  readonly variant: string
  readonly measured: ContenderName | 'bare'
  readonly target: Target
  readonly session: LoadSession
}

const WARM_UP_CONNECTIONS = 16
/** To a second of the warm-up that was asked for. */
const ENOUGH_REQUESTS = 2500
/** How many times as long as was asked for, or as such a rate needs, it may take. */
const LONGEST_WARM_UP = 3
const LONGEST_TURN_SECONDS = 2

/** How long a warm-up takes at least, and how many requests. */
export interface WarmUp {
  readonly seconds: number
  readonly requests?: number
}

/**
 * Checks what a variant is answered with, and warms up everybody who is to answer it: shortly where
 * they have answered something else before.
 */
export async function openSides(
  bench: Bench,
  variant: Variant,
  contenders: readonly Contender[],
  wanted: WarmUp = { seconds: bench.options.pace.firstWarmUp },
): Promise<readonly Side[]> {
  const { generator, bare } = bench
  const sides: Side[] = []
  const open = async (
    measured: Side['measured'],
    target: Target,
    enough = wanted,
  ): Promise<void> => {
    const session = generator.open(target, variant.mix)
    sides.push({ variant: variant.name, measured, target, session })
    await warmUp(session, enough)
  }
  for (const [index, { name, target }] of contenders.entries()) {
    const answers = await sampleAnswers(target, variant)
    if (index === 0 && variant.bare === true) {
      if (answers.length > 0) await bare.answerWith(answers)
      const constants = { ...target, origin: bare.origin, pid: bare.pid, postgresPid: null }
      // It has no data to have seen.
      await open('bare', constants, { seconds: wanted.seconds })
    }
    await open(name, target)
  }
  return sides
}

/**
 * As long as is asked for, and longer where that was too little for the compiler to know which code
 * is hot: on a busy machine, or where requests are slow.
 */
async function warmUp(session: LoadSession, wanted: WarmUp): Promise<void> {
  const { seconds, requests = ENOUGH_REQUESTS * seconds } = wanted
  const longest = LONGEST_WARM_UP * Math.max(seconds, requests / ENOUGH_REQUESTS)
  const turn = Math.min(seconds, LONGEST_TURN_SECONDS)
  let sent = 0
  for (let passed = 0; passed < seconds || (sent < requests && passed < longest); passed += turn) {
    const load = { connections: WARM_UP_CONNECTIONS, rate: null, warmUp: 0, seconds: turn }
    sent += (await session.run(load)).requests
  }
}

export function closeSides(sides: readonly Side[]): void {
  for (const { session } of sides) session.close()
}
