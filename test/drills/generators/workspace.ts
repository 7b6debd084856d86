import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { BASE_PATH } from '../../../src/hyperfleet/paths/base-path.ts'
import { startProgram } from '../../process/program.ts'
import { installTool, runTool } from '../run-tool.ts'

/** A copy of a client's directory that contains the OpenAPI document of a running server. */
export interface Workspace {
  readonly folder: string
  /** The base URL of the API. */
  readonly url: string
  /** Runs a program that may need the network. A failure skips the case. */
  install(program: string, args: readonly string[]): Promise<void>
  /** Runs a program. A failure fails the case. */
  run(program: string, args: readonly string[]): Promise<void>
}

const INSTALL_TIMEOUT_MS = 420_000
const RUN_TIMEOUT_MS = 240_000

/** GOTOOLCHAIN=local skips the case on an old Go instead of downloading a newer one. */
const ENV = { GOTOOLCHAIN: 'local', PIP_DISABLE_PIP_VERSION_CHECK: '1' }

/** Starts a server with a new database, calls `use` with a workspace, and removes both. */
export async function inWorkspace(
  { language, document }: { readonly language: string; readonly document: string },
  use: (workspace: Workspace) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-client-'))
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-drill-'))
  try {
    await using server = startProgram({ DATA_DIR: dataDir })
    const origin = `http://127.0.0.1:${(await server.ready()).port}`
    await cp(fileURLToPath(new URL(language, import.meta.url)), folder, { recursive: true })
    const response = await fetch(origin + document)
    await writeFile(path.join(folder, 'openapi.yaml'), await response.text())
    await use({
      folder,
      url: origin + BASE_PATH,
      install: (program, args) =>
        installTool(program, args, { cwd: folder, env: ENV, timeoutMs: INSTALL_TIMEOUT_MS }),
      run: async (program, args) => {
        await runTool(program, args, { cwd: folder, env: ENV, timeoutMs: RUN_TIMEOUT_MS })
      },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  }
}
