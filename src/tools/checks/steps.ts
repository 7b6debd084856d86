import { crowdedFolders } from '../layers/crowded-folders.ts'
import { checkLayers } from '../layers/check-layers.ts'
import { outputOfFailure } from './output-of-failure.ts'
import { mayContainProse } from '../prose/files.ts'
import { checkSql } from '../sql/check-sql.ts'
import type { Inputs } from './scope-of.ts'

/** Results for files that have not changed since. Removing the folder is always safe. */
const CACHE = 'node_modules/.cache/flotilla-check'

/** A check of the sources. */
export interface Step {
  readonly name: string
  readonly inputs: Inputs
  /** Describes the problem, or returns null if the step passes. Without files, checks all of them. */
  readonly problem: (files: readonly string[] | null) => Promise<string | null>
}

/** Every check, in the order of the report. Checks do not depend on each other. */
export const STEPS: readonly Step[] = [
  {
    name: 'types',
    inputs: { whole: /\.([cm]?[jt]s|json)$/ },
    problem: () => typeProblem('tsconfig.json', ['--allowJs', '--checkJs']),
  },
  {
    name: 'types of the SDK',
    inputs: { whole: /^clients\/typescript\/|^(tsconfig|package-lock)\.json$/ },
    problem: async () =>
      (await typeProblem('clients/typescript')) ??
      (await typeProblem('clients/typescript/examples')),
  },
  {
    name: 'types of the command',
    inputs: { whole: /^clients\/(cli|typescript)\/|^(tsconfig|package-lock)\.json$/ },
    problem: () => typeProblem('clients/cli'),
  },
  {
    name: 'types of the console',
    inputs: { whole: /^clients\/(console|typescript)\/|^(tsconfig|package-lock)\.json$/ },
    problem: () => typeProblem('clients/console'),
  },
  {
    name: 'lint',
    inputs: { whole: /^(\.oxlintrc|tsconfig|package-lock)\.json$/, single: /\.[cm]?[jt]sx?$/ },
    problem: (files) =>
      outputOfFailure('oxlint', [
        '--type-aware',
        '--deny-warnings',
        '--no-error-on-unmatched-pattern',
        ...(files ?? []),
      ]),
  },
  {
    name: 'format',
    inputs: { whole: /^(\.oxfmtrc|package-lock)\.json$/, single: /^/ },
    problem: (files) =>
      outputOfFailure('oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...(files ?? [])]),
  },
  {
    name: 'dead code',
    inputs: { whole: /\.([cm]?[jt]sx?|json|prisma)$/ },
    problem: () => outputOfFailure('knip', ['--cache', '--cache-location', `${CACHE}/knip`]),
  },
  {
    name: 'prose',
    inputs: { whole: /^src\/tools\/prose\//, single: /^/ },
    problem: async (files) => {
      const checked = files?.filter(mayContainProse)
      if (checked?.length === 0) return null
      return outputOfFailure('tsx', ['src/tools/prose/main.ts', ...(checked ?? [])])
    },
  },
  {
    name: 'layer rules',
    inputs: { whole: /^(src|clients)\// },
    problem: async () => {
      const problems = [await checkLayers(), await crowdedFolders()]
      return problems.filter((problem) => problem !== null).join('\n') || null
    },
  },
  {
    name: 'SQL',
    inputs: { whole: /^src\/.*\.ts$|^package-lock\.json$/ },
    problem: () => checkSql(),
  },
  {
    name: 'generated documents',
    inputs: {
      // Code is read for its settings, errors and comments, tests for the rules that they cite.
      whole:
        /^(src|openapi|clients\/(typescript|python)\/src|docs\/sdk)\/|^test\/.*\.ts$|^test\/vectors\/tsl-upstream\.json$|^docs\/(configuration|errors|list-parameters|planes-rules|search-compatibility)\.md$|^package-lock\.json$/,
    },
    problem: () => outputOfFailure('tsx', ['src/tools/generate.ts', '--check']),
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
