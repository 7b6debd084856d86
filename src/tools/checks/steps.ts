import { checkLayers } from '../layers/check-layers.ts'
import { outputOfFailure } from '../output-of-failure.ts'
import { stalePrismaClient } from '../stale-prisma-client.ts'

/** Results for files that have not changed since. Removing the folder is always safe. */
const CACHE = 'node_modules/.cache/flotilla-check'

/** A check of the sources. */
export interface Step {
  readonly name: string
  /** Describes the problem, or returns null if the step passes. */
  readonly problem: () => Promise<string | null>
}

/** Every check, in the order of the report. Checks do not depend on each other. */
export const STEPS: readonly Step[] = [
  {
    name: 'types',
    problem: () => typeProblem('tsconfig.json', ['--allowJs', '--checkJs']),
  },
  {
    name: 'types of the SDK',
    problem: async () =>
      (await typeProblem('clients/typescript')) ??
      (await typeProblem('clients/typescript/examples')),
  },
  {
    name: 'types of the command',
    problem: () => typeProblem('clients/cli'),
  },
  {
    name: 'types of the console',
    problem: () => typeProblem('clients/console'),
  },
  {
    name: 'lint',
    problem: () => outputOfFailure('oxlint', ['--type-aware', '--deny-warnings']),
  },
  { name: 'format', problem: () => outputOfFailure('oxfmt', ['--check']) },
  {
    name: 'dead code',
    problem: () => outputOfFailure('knip', ['--cache', '--cache-location', `${CACHE}/knip`]),
  },
  {
    name: 'prose',
    problem: () => outputOfFailure('tsx', ['src/tools/prose/main.ts']),
  },
  {
    name: 'layer rules',
    problem: () => checkLayers(),
  },
  {
    name: 'generated documents',
    problem: () => outputOfFailure('tsx', ['src/tools/generate.ts', '--check']),
  },
  {
    name: 'Prisma client',
    problem: stalePrismaClient,
  },
]

/** Checks a project. The result is cached, so that the next check reads changed files only. */
function typeProblem(project: string, options: readonly string[] = []): Promise<string | null> {
  const name = project.replaceAll('/', '-')
  const cache = `${CACHE}/${name}.tsbuildinfo`
  return outputOfFailure('tsc', [
    '--noEmit',
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    cache,
    ...options,
  ])
}
