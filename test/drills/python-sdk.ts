import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { must } from '../../src/lib/assert.ts'
import { serverProgram } from '../support/server-program.ts'
import type { Drill } from './drill.ts'
import { installTool, runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGE = path.join(ROOT, 'clients/python')
const INSTALL_TIMEOUT_MS = 240_000
const RUN_TIMEOUT_MS = 600_000
/** The part of the exported symbols with complete types, as `pyright --verifytypes` counts them. */
const MIN_TYPE_COMPLETENESS = 0.95
const PYRIGHT = path.join(ROOT, 'node_modules/pyright/index.js')
/** The tools of `python -m build --no-isolation`. The extra `dev` installs the other ones. */
const BUILD_TOOLS = ['build', 'hatchling']
const ENV = {
  FLOTILLA_ROOT: ROOT,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  // The tests use no sandboxes.
  SANDBOX_RUNTIME: 'off',
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
  const env = { ...ENV, FLOTILLA_SERVER: serverProgram().join(' ') }
  const bin = (name: string) => path.join(folder, 'venv/bin', name)
  const install = (program: string, args: readonly string[]) =>
    installTool(program, args, { cwd, env: ENV, timeoutMs: INSTALL_TIMEOUT_MS })
  const run = (program: string, args: readonly string[]) =>
    runTool(bin(program), args, { cwd, env, timeoutMs: RUN_TIMEOUT_MS })
  // Python compiles the modules that it imports: a small part of those that are installed.
  const pip = ['install', '--quiet', '--no-compile', '--constraint', 'constraints.txt']

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
  await verifyTypes(folder)
  await run('python', ['scripts/reference.py', '--check', path.join(ROOT, 'docs/sdk/python.md')])
  await run('pytest', ['-q'])
}

/** The result of `pyright --verifytypes --outputjson`. */
interface TypeReport {
  readonly generalDiagnostics: readonly { readonly message: string }[]
  readonly typeCompleteness: {
    readonly completenessScore: number
    readonly symbols: readonly {
      readonly name: string
      readonly isExported: boolean
      readonly isTypeKnown: boolean
    }[]
  }
}

/** Requires complete types of the installed package, as users of pyright see them. */
async function verifyTypes(folder: string): Promise<void> {
  // Pyright takes the packages of the `python` in the path. It exits with 1 below 100 %.
  const searchPath = `${path.join(folder, 'venv/bin')}:${process.env['PATH'] ?? ''}`
  const check =
    '"$0" "$1" --verifytypes flotilla --ignoreexternal --outputjson > types.json || true'
  const options = { cwd: folder, env: { ...ENV, PATH: searchPath }, timeoutMs: RUN_TIMEOUT_MS }
  await runTool('sh', ['-c', check, process.execPath, PYRIGHT], options)
  const report: TypeReport = JSON.parse(await readFile(path.join(folder, 'types.json'), 'utf8'))
  const { completenessScore: score, symbols } = report.typeCompleteness
  const incomplete = symbols.filter(({ isExported, isTypeKnown }) => isExported && !isTypeKnown)
  const problems = [
    ...report.generalDiagnostics.map(({ message }) => message),
    ...incomplete.slice(0, 20).map(({ name }) => name),
  ]
  assert.ok(
    score >= MIN_TYPE_COMPLETENESS,
    `types are complete for ${(score * 100).toFixed(1)} % of the exported symbols, not for: ${problems.join(', ')}`,
  )
}
