import { checkLayers } from './layers/check-layers.ts'
import { outputOfFailure } from './output-of-failure.ts'
import { stalePrismaClient } from './stale-prisma-client.ts'

interface Step {
  readonly name: string
  /** Describes the problem, or returns null if the step passes. */
  readonly problem: () => Promise<string | null>
}

const TYPES = ['--noEmit', '-p', 'tsconfig.json', '--allowJs', '--checkJs']

const STEPS: readonly Step[] = [
  { name: 'types', problem: () => outputOfFailure('tsc', TYPES) },
  {
    name: 'types of the SDK',
    problem: async () =>
      (await outputOfFailure('tsc', ['--noEmit', '-p', 'clients/typescript'])) ??
      (await outputOfFailure('tsc', ['-p', 'clients/typescript/examples'])),
  },
  {
    name: 'types of the command',
    problem: () => outputOfFailure('tsc', ['--noEmit', '-p', 'clients/cli']),
  },
  {
    name: 'types of the console',
    problem: () => outputOfFailure('tsc', ['--noEmit', '-p', 'clients/console']),
  },
  { name: 'lint', problem: () => outputOfFailure('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'format', problem: () => outputOfFailure('oxfmt', ['--check']) },
  { name: 'dead code', problem: () => outputOfFailure('knip', []) },
  { name: 'prose', problem: () => outputOfFailure('tsx', ['src/tools/prose/main.ts']) },
  { name: 'layer rules', problem: () => checkLayers() },
  {
    name: 'generated documents',
    problem: () => outputOfFailure('tsx', ['src/tools/generate.ts', '--check']),
  },
  { name: 'Prisma client', problem: stalePrismaClient },
]

/** Runs every check, even after a failure, and prints each result. */
async function main(): Promise<void> {
  const failed: string[] = []
  for (const { name, problem } of STEPS) {
    const start = performance.now()
    const found = await problem()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${name.padEnd(20)} ${found === null ? 'ok    ' : 'FAILED'} ${seconds} s`)
    if (found === null) continue
    failed.push(name)
    console.log(`\n${found.trimEnd()}\n`)
  }
  if (failed.length === 0) return
  console.error(`failed: ${failed.join(', ')}`)
  process.exitCode = 1
}

await main()
