import type { Timing } from '../generator/messages.ts'
import type { Pace } from '../command/options.ts'
import type { Run } from '../results/measurement.ts'

/** Somebody who is measured turn by turn with others. */
export interface Contestant {
  run(timing: Timing): Promise<Run>
}

/**
 * Gives everybody a turn, as many times as there are rounds, so that what disturbs the machine
 * disturbs all alike. Every other round goes backwards: nobody always comes after the same one.
 */
export async function takeTurns<T extends Contestant>(
  contestants: readonly T[],
  pace: Pace,
): Promise<ReadonlyMap<T, readonly Run[]>> {
  const runs = new Map<T, Run[]>(contestants.map((contestant) => [contestant, []]))
  for (let round = 0; round < pace.rounds; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed()
    for (const contestant of order) {
      const run = await contestant.run({ warmUp: pace.warmUp, seconds: pace.seconds })
      runs.get(contestant)?.push(run)
    }
  }
  return runs
}
