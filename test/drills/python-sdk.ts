import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { must } from '../../src/lib/assert.ts'
import type { Drill } from './drill.ts'
import { installTool, runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGE = path.join(ROOT, 'clients/python')
const INSTALL_TIMEOUT_MS = 240_000
const RUN_TIMEOUT_MS = 420_000
/** The tools of `python -m build --no-isolation`. The extra `dev` installs the other ones. */
const BUILD_TOOLS = ['build', 'hatchling']
const ENV = {
  FLOTILLA_ROOT: ROOT,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PYTHONDONTWRITEBYTECODE: '1',
}

/** Builds the Python SDK, installs the wheel, and tests it against servers of this repository. */
export const pythonSdk: Drill = {
  summary: 'the Python SDK: packages, types, style, and tests of the installed wheel',
  cases: [{ name: 'installed-wheel', run: inCopy }],
}

async function inCopy(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-python-sdk-'))
  try {
    await cp(PACKAGE, path.join(folder, 'package'), { recursive: true, filter: isSource })
    await testPackage(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether a file is no result of an earlier run. */
function isSource(file: string): boolean {
  return !/(^|\/)(__pycache__|\.[a-z]+_cache|\.venv|dist)$/.test(file)
}

async function testPackage(folder: string): Promise<void> {
  const cwd = path.join(folder, 'package')
  const bin = (name: string) => path.join(folder, 'venv/bin', name)
  const install = (program: string, args: readonly string[]) =>
    installTool(program, args, { cwd, env: ENV, timeoutMs: INSTALL_TIMEOUT_MS })
  const run = (program: string, args: readonly string[]) =>
    runTool(bin(program), args, { cwd, env: ENV, timeoutMs: RUN_TIMEOUT_MS })
  const pip = ['install', '--quiet', '--constraint', 'constraints.txt']

  await install('python3', ['-m', 'venv', path.join(folder, 'venv')])
  await install(bin('pip'), [...pip, ...BUILD_TOOLS])
  // Builds the source distribution, then the wheel from it.
  await run('python', ['-m', 'build', '--no-isolation', '--outdir', '../built'])
  const built = await readdir(path.join(folder, 'built'))
  const wheel = must(
    built.find((name) => name.endsWith('.whl')),
    'a wheel',
  )
  assert.match(await run('python', ['-m', 'zipfile', '--list', `../built/${wheel}`]), /LICENSE/)
  await install(bin('pip'), [...pip, `../built/${wheel}[dev]`])

  await run('ruff', ['check', '.'])
  await run('ruff', ['format', '--check', '.'])
  await run('mypy', ['src', 'tests', 'examples', 'scripts'])
  // From here on, `import flotilla` finds the installed wheel only.
  await rm(path.join(cwd, 'src'), { recursive: true })
  await run('mypy', ['-p', 'flotilla'])
  await run('python', ['scripts/reference.py', '--check', path.join(ROOT, 'docs/sdk/python.md')])
  await run('pytest', ['-q'])
}
