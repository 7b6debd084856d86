// Entry point of `npm run bench`; README.md describes the scenarios.
import { errorMessage } from '../src/lib/error-message.ts'
import { measureAdapterWork } from './adapter-work/measure-adapter-work.ts'
import { ArgumentError, type Options, readOptions } from './command/options.ts'
import { seed } from './command/seed.ts'
import { usage } from './command/usage.ts'
import { measureCores } from './cores/measure-cores.ts'
import { measureFields } from './fields/measure-fields.ts'
import { measureImport } from './import/measure-import.ts'
import { publish, writeJson } from './results/publish.ts'
import { reportOf } from './results/report.ts'
import { measureLists } from './lists/measure-lists.ts'
import { measureObservability } from './observability/measure-observability.ts'
import { measureWebhooks } from './webhooks/measure-webhooks.ts'
import { openBench } from './scenarios/bench.ts'
import { runScenarios } from './scenarios/run-scenarios.ts'

async function main(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args
  if (args.includes('--help')) console.log(usage())
  else if (command === 'fields') measureFields(rest)
  else if (command === 'cores') await measureCores(rest)
  else if (command === 'observability') await measureObservability(rest)
  else if (command === 'webhooks') await measureWebhooks(rest)
  else if (command === 'adapter-work') await measureAdapterWork(rest)
  else if (command === 'import') await measureImport(rest)
  else if (command === 'lists') await measureLists(rest)
  else {
    const options = readOptions(args)
    await (options.scenario === 'seed' ? seed(options) : runSuite(options, args))
  }
}

/** Runs the scenarios, prints the report, and writes it if `--json` or `--publish` is set. */
async function runSuite(options: Options, args: readonly string[]): Promise<void> {
  const start = performance.now()
  await using bench = await openBench(options, args)
  const { results } = bench
  await runScenarios(bench, (name) => {
    const seconds = Math.round((performance.now() - start) / 1000)
    console.error(`${name}: done after ${seconds} s`)
  })
  console.log(`\n${reportOf(results)}`)
  if (options.json !== null) writeJson(options.json, results)
  if (options.publish) publish(options.scenario, results)
}

// process.exit runs the exit handlers, which kill child processes and remove temporary directories.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isExplained = error instanceof ArgumentError || !(error instanceof Error)
  console.error(`FAILED: ${isExplained ? errorMessage(error) : error.stack}`)
  process.exitCode = 1
}
