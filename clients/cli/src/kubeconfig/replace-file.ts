import { chmod, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CliError } from '../errors/cli-error.ts'

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/**
 * Changes a file that kubectl writes too: under kubectl's lock, and so that a crash leaves either the
 * old or the new content. A symbolic link stays. Only the owner may read the file, because it can have
 * a token.
 */
export async function replaceFile(file: string, change: (text: string) => string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER })
  const target = await realpath(file).catch(() => file)
  const lock = `${file}.lock`
  await takeLock(lock)
  const made = `${target}.${process.pid}.new`
  try {
    const { text, mode } = await readIfExists(target)
    await writeFile(made, change(text), { mode, flag: 'wx' })
    await chmod(made, mode)
    await rename(made, target)
  } finally {
    await rm(made, { force: true })
    await rm(lock, { force: true })
  }
}

async function takeLock(lock: string): Promise<void> {
  try {
    await (await open(lock, 'wx', PRIVATE_FILE)).close()
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new CliError(isTaken ? `another program holds ${lock}` : `${lock}: ${detail}`, {
      cause,
      hint: isTaken ? 'Repeat the command. If no kubectl is running, remove the lock.' : undefined,
    })
  }
}

async function readIfExists(file: string) {
  const found = await stat(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
  if (found === null) return { text: '', mode: PRIVATE_FILE }
  const handle = await open(file, 'r')
  try {
    return { text: await handle.readFile('utf8'), mode: found.mode & PRIVATE_FOLDER }
  } finally {
    await handle.close()
  }
}
