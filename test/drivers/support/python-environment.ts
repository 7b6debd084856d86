import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const GRPC = path.join(ROOT, 'test/drivers/python/requirements.txt')
const CACHE = path.join(ROOT, 'node_modules/.cache')
const INSTALL_TIMEOUT_MS = 240_000

/** Runs a program and returns its output. */
export const run = promisify(execFile)

/** A Python with packages, or the reason why this machine has none. */
export type PythonEnvironment = { readonly python: string } | { readonly unavailable: string }

/** Installs packages, by default gRPC, once per version of their file of requirements. */
export async function pythonEnvironment(requirements = GRPC): Promise<PythonEnvironment> {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
  const folder = path.join(CACHE, `driver-python-${digest.slice(0, 12)}`)
  const python = path.join(folder, 'bin/python')
  if (await exists(python)) return { python }
  const made = `${folder}.${process.pid}`
  try {
    await mkdir(CACHE, { recursive: true })
    const options = { timeout: INSTALL_TIMEOUT_MS }
    // Debian's interpreter, because workloads under other accounts can run it too.
    const base = (await exists('/usr/bin/python3')) ? '/usr/bin/python3' : 'python3'
    await run(base, ['-m', 'venv', made], options)
    // Python compiles the modules that it imports: a small part of those that pip installs.
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check']
    await run(path.join(made, 'bin/python'), [...pip, '--requirement', requirements], options)
    // Another test may have been faster.
    await rename(made, folder).catch(() => undefined)
    return { python }
  } catch (error) {
    return {
      unavailable: `cannot install ${path.relative(ROOT, requirements)}: ${String(error).slice(0, 300)}`,
    }
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
