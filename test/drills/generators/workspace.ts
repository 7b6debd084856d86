import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { BASE_PATH } from '../../../src/core/http/base-path.ts'
import { startProgram } from '../../program.ts'
import { Skipped } from '../drill.ts'

/** A copy of a client's folder with the document of a running server, in `openapi.yaml`. */
export interface Workspace {
  readonly folder: string
  /** Address of the API for the client. */
  readonly url: string
  /** Runs a program that may need the network. A failure skips the case. */
  install(program: string, args: readonly string[]): Promise<void>
  /** Runs a program. A failure fails the case. */
  run(program: string, args: readonly string[]): Promise<void>
}

const INSTALL_TIMEOUT_MS = 420_000
const RUN_TIMEOUT_MS = 240_000

/** Starts a server on a new database and uses a workspace beside it; removes both afterwards. */
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
    const answer = await fetch(origin + document)
    await writeFile(path.join(folder, 'openapi.yaml'), await answer.text())
    await use({
      folder,
      url: origin + BASE_PATH,
      install: async (program, args) => {
        const failure = await failureOf(program, args, { cwd: folder, timeout: INSTALL_TIMEOUT_MS })
        if (failure !== null) throw new Skipped(`${program} could not install\n${failure}`)
      },
      run: async (program, args) => {
        const failure = await failureOf(program, args, { cwd: folder, timeout: RUN_TIMEOUT_MS })
        if (failure !== null) throw new Error(`${program} ${args.join(' ')}\n${failure}`)
      },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The end of a failed program's output; null if it succeeds. */
function failureOf(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly timeout: number },
): Promise<string | null> {
  // A toolchain that is too old is a reason to skip, not to download another one.
  const env = { ...process.env, GOTOOLCHAIN: 'local', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
  return new Promise((resolve) => {
    execFile(program, args, { ...options, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(null)
      else resolve((stdout + stderr).slice(-4000) || error.message)
    })
  })
}
