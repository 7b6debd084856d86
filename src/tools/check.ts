import { availableParallelism } from 'node:os'
import { must } from '../lib/assert.ts'
import { createSemaphore } from '../lib/async/semaphore.ts'
import { type Step, STEPS } from './checks/steps.ts'

/** Without a limit: steps that take long delay others. */
const MAX_WAIT_MS = 2 ** 31 - 1

interface Result {
  readonly seconds: number
  readonly problem: string | null
}

/**
 * Runs every check, even after a failure, and prints each result. Independent checks run together, one
 * for each core.
 */
async function main(): Promise<void> {
  const cores = createSemaphore(availableParallelism(), MAX_WAIT_MS)
  const results = STEPS.map((step) => cores.run(() => resultOf(step)))
  const failed: string[] = []
  for (const [at, { name }] of STEPS.entries()) {
    const { seconds, problem } = must((await results[at]) ?? null, 'a result')
    console.log(
      `${name.padEnd(20)} ${problem === null ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1)} s`,
    )
    if (problem === null) continue
    failed.push(name)
    console.log(`\n${problem.trimEnd()}\n`)
  }
  if (failed.length === 0) return
  console.error(`failed: ${failed.join(', ')}`)
  process.exitCode = 1
}

async function resultOf({ problem }: Step): Promise<Result> {
  const start = performance.now()
  const found = await problem()
  return { seconds: (performance.now() - start) / 1000, problem: found }
}

await main()
