import { publish, writeJson } from '../results/publish.ts'
import { reportOf } from '../results/report.ts'
import type { Options } from './options.ts'
import { openBench } from '../scenarios/bench.ts'
import { runScenarios } from '../scenarios/run-scenarios.ts'

/** Measures what was asked for, prints the tables, and writes them where that was asked for. */
export async function runSuite(options: Options, words: readonly string[]): Promise<void> {
  const start = performance.now()
  await using bench = await openBench(options, words)
  const { results } = bench
  await runScenarios(bench, (name) => {
    const seconds = Math.round((performance.now() - start) / 1000)
    console.error(`${name}: ended after ${seconds} s`)
  })
  console.log(`\n${reportOf(results)}`)
  if (options.json !== null) writeJson(options.json, results)
  if (options.publish) publish(options.scenario, results)
}
