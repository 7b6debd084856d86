import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import { CliError } from '../errors/cli-error.ts'
import type { Contexts } from './contexts.ts'
import { contextsFile } from './contexts-file.ts'

/**
 * Replaces the file with the contexts. It contains tokens, so that only its owner may read it. A crash
 * leaves either the old or the new file.
 */
export async function writeContexts(env: NodeJS.ProcessEnv, contexts: Contexts): Promise<void> {
  const file = contextsFile(env)
  const folder = path.dirname(file)
  const made = `${file}.${process.pid}.new`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    await writeFile(made, stringify(contexts), { mode: 0o600, flag: 'wx' })
    await rename(made, file)
  } catch (error) {
    await rm(made, { force: true })
    const detail = error instanceof Error ? error.message : String(error)
    throw new CliError(`${file} cannot be written: ${detail}`, {
      cause: error,
      hint: 'Check the permissions of the folder, or set XDG_CONFIG_HOME to another one.',
    })
  }
}
