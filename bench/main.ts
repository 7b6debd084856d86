// npm run bench -- <scenario>: see README.md.
import { errorMessage } from '../src/lib/error-message.ts'
import { checkUnderLoad } from './load/check-under-load.ts'
import { ArgumentError, readOptions } from './command/options.ts'
import { seed } from './command/seed.ts'
import { runSuite } from './command/suite.ts'
import { checkRebuild } from './rebuild/check-rebuild.ts'

async function main(words: readonly string[]): Promise<void> {
  const [scenario, ...rest] = words
  if (scenario === 'load') {
    await checkUnderLoad(rest)
    return
  }
  if (scenario === 'rebuild') {
    await checkRebuild(rest)
    return
  }
  const options = readOptions(words)
  await (options.scenario === 'seed' ? seed(options) : runSuite(options, words))
}

// Whatever was started is stopped where the process ends.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isExplained = error instanceof ArgumentError || !(error instanceof Error)
  console.error(`FAILED: ${isExplained ? errorMessage(error) : error.stack}`)
  process.exitCode = 1
}
