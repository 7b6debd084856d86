import { must } from '../../../src/lib/assert.ts'
import { seededRandom } from '../../../bench/data/seeded-random.ts'

export const FAULTS = [
  'kill server',
  'pause server',
  'partition server',
  'partition database',
  'step clock',
  'kill backend',
  'pause backend',
  'kill postgres',
  'pause postgres',
  'slow disk',
  'full disk',
] as const

export type FaultName = (typeof FAULTS)[number]

/** One fault. The fields that a fault does not need are ignored. */
export interface Fault {
  readonly name: FaultName
  /** Index of the server. */
  readonly server: number
  readonly durationMs: number
  /** In [0, 1), for choices among what exists when the fault begins. */
  readonly choice: number
}

/** Faults that begin together after a pause. */
export interface FaultStep {
  readonly pauseMs: number
  readonly faults: readonly Fault[]
}

const SERVERS = 4
const MIN_PAUSE_MS = 1000
const MAX_PAUSE_MS = 5000
const MIN_FAULT_MS = 1000
const MAX_FAULT_MS = 8000
/** How often two faults overlap. */
const PAIRS = 0.3

/** An endless list of faults. Equal seeds have equal lists: neither time nor state affects them. */
export function* scheduleFaults(seed: number): Generator<FaultStep, never> {
  const random = seededRandom(seed)
  const between = (least: number, most: number): number => least + random() * (most - least)
  const nextFault = (name: FaultName): Fault => ({
    name,
    // The first server is never killed, so that its memory can be compared.
    server: Math.max(name === 'kill server' ? 1 : 0, Math.floor(random() * SERVERS)),
    durationMs: Math.round(between(MIN_FAULT_MS, MAX_FAULT_MS)),
    choice: random(),
  })
  // Each fault once per round, in a random order, so that short soaks have every fault too.
  let round: FaultName[] = []
  const draw = (): FaultName => {
    if (round.length === 0) round = [...FAULTS]
    const [name] = round.splice(Math.floor(random() * round.length), 1)
    return must(name, 'a fault')
  }
  for (;;) {
    const pauseMs = Math.round(between(MIN_PAUSE_MS, MAX_PAUSE_MS))
    const faults = [nextFault(draw())]
    if (random() < PAIRS) faults.push(nextFault(draw()))
    yield { pauseMs, faults }
  }
}
