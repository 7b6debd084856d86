import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The steps of .ci/run with another table. `$drill` replaces the drills of the project. */
const SCRIPT = `
set -euo pipefail
source .ci/run-stages.sh
source .ci/run-tests.sh
read_stages <<<"$table"
select_stages "$@"
export results PPID_OF_RUN=$$
drill() { eval "$drill"; }
export -f drill
status=0
run_stages "$results" || status=1
node .ci/test-results.mjs summary "$results"
exit "$status"
`

interface Options {
  readonly table: readonly string[]
  /** The folder of the results. */
  readonly folder: string
  /** The shell command of a stage `drill ...`, with the arguments of the stage as its arguments. */
  readonly drill: string
  readonly names?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The exit status and the lines of a run with a table of stages. */
export function runStages({ table, folder, drill, names = [], env = {} }: Options) {
  const all = {
    ...process.env,
    table: table.join('\n'),
    results: folder,
    cores: '2',
    drill,
    ...env,
  }
  return new Promise<{ status: unknown; lines: readonly string[] }>((resolve) => {
    execFile(
      'bash',
      ['-c', SCRIPT, 'run', ...names],
      { cwd: ROOT, env: all },
      (error, ...output) => {
        resolve({ status: error?.code ?? 0, lines: output.join('').trim().split('\n') })
      },
    )
  })
}
