import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { must } from '../lib/assert.ts'
import { createSemaphore } from '../lib/async/semaphore.ts'
import { changedFiles } from './checks/changed-files.ts'
import { type Scope, scopeOf } from './checks/scope-of.ts'
import { type Step, STEPS } from './checks/steps.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Without a limit: steps that take long delay others. */
const MAX_WAIT_MS = 2 ** 31 - 1

interface Result {
  /** Null if the change does not affect the step. */
  readonly seconds: number | null
  readonly problem: string | null
}

/**
 * Runs every check, even after a failure, and prints each result. With `--changed`, checks only what
 * differs from the main branch. Independent checks run together, one for each core.
 */
async function main(args: readonly string[]): Promise<void> {
  const changed = await changeOf(args)
  const cores = createSemaphore(availableParallelism(), MAX_WAIT_MS)
  const results = STEPS.map((step) => cores.run(() => resultOf(step, changed)))
  const failed: string[] = []
  for (const [at, { name }] of STEPS.entries()) {
    const { seconds, problem } = must((await results[at]) ?? null, 'a result')
    const outcome = seconds === null ? 'unaffected' : problem === null ? 'ok    ' : 'FAILED'
    console.log(
      `${name.padEnd(20)} ${outcome}${seconds === null ? '' : ` ${seconds.toFixed(1)} s`}`,
    )
    if (problem === null) continue
    failed.push(name)
    console.log(`\n${problem.trimEnd()}\n`)
  }
  if (failed.length === 0) return
  console.error(`failed: ${failed.join(', ')}`)
  process.exitCode = 1
}

/** The changed files, or null to check all files. */
async function changeOf(args: readonly string[]): Promise<readonly string[] | null> {
  if (args.length === 0) return null
  if (args.length > 1 || args[0] !== '--changed') {
    throw new Error(`unknown options: ${args.join(' ')}. The only option is --changed`)
  }
  const changed = await changedFiles(root)
  if (typeof changed === 'string') {
    console.log(`${changed}: checking all files`)
    return null
  }
  console.log(`${changed.files.length} files differ from ${changed.branch}`)
  return changed.files
}

async function resultOf(step: Step, changed: readonly string[] | null): Promise<Result> {
  const scope = changed === null ? 'everything' : scopeOf(step.inputs, changed, exists)
  if (scope === 'nothing') return { seconds: null, problem: null }
  const start = performance.now()
  const problem = await step.problem(filesIn(scope))
  return { seconds: (performance.now() - start) / 1000, problem }
}

function filesIn(scope: Exclude<Scope, 'nothing'>): readonly string[] | null {
  return scope === 'everything' ? null : scope
}

function exists(file: string): boolean {
  return existsSync(path.join(root, file))
}

await main(process.argv.slice(2))
