import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { GO_FLAGS } from '../go-flags.ts'
import { installTool, runTool } from '../run-tool.ts'

const GO_FOLDER = fileURLToPath(new URL('go', import.meta.url))
export const CHART = fileURLToPath(new URL('../../../deploy/helm/flotilla', import.meta.url))
const BUILD_TIMEOUT_MS = 600_000
const RUN_TIMEOUT_MS = 60_000

/** Returns the output for a file of `values`, and a chart other than the folder in this clone. */
type Run = (values: string, chart?: string) => Promise<string>

/** The program with Helm's engine, and with a linter of workflows. */
export interface Engine extends AsyncDisposable {
  readonly render: Run
  readonly lint: Run
  readonly lintWorkflows: (files: readonly string[]) => Promise<string>
}

/** Builds the program. Throws `Skipped` if this machine cannot. */
export async function buildEngine(): Promise<Engine> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-deployments-'))
  const dispose = () => rm(folder, { recursive: true, force: true })
  const program = path.join(folder, 'manifests')
  // GOTOOLCHAIN=local skips the case on an old Go instead of downloading a newer one.
  const build = { cwd: GO_FOLDER, env: { GOTOOLCHAIN: 'local' }, timeoutMs: BUILD_TIMEOUT_MS }
  try {
    await installTool('go', ['build', ...GO_FLAGS, '-ldflags', '-s -w', '-o', program, '.'], build)
  } catch (error) {
    await dispose()
    throw error
  }
  const run = (command: string, values: string, chart = CHART) => {
    const file = fileURLToPath(new URL(`values/${values}.yaml`, import.meta.url))
    return runTool(program, [command, chart, file], { cwd: folder, timeoutMs: RUN_TIMEOUT_MS })
  }
  return {
    render: (values, chart) => run('render', values, chart),
    lint: (values, chart) => run('lint', values, chart),
    lintWorkflows: (files) =>
      runTool(program, ['workflows', ...files], { cwd: folder, timeoutMs: RUN_TIMEOUT_MS }),
    [Symbol.asyncDispose]: dispose,
  }
}
