import assert from 'node:assert/strict'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../../../process/program.ts'
import { Skipped } from '../../drill.ts'
import { installTool, runTool } from '../../run-tool.ts'
import { buildProgram } from '../programs.ts'
import { compareAssertions, type LineResult } from './compare-assertions.ts'
import { COUNTS, NOT_APPLICABLE, NOT_RUN } from './not-applicable.ts'

const RUN_FUNCTION = fileURLToPath(new URL('run-function.sh', import.meta.url))
const MODULE = fileURLToPath(new URL('../go', import.meta.url))
const FUNCTION_TIMEOUT_MS = 600_000
/** The folders of Kubernetes' sources that the suite reads. */
const SOURCES = ['hack', 'test/cmd', 'test/fixtures', 'third_party/forked/shell2junit']
/** The assertions of runTests itself. */
const INLINE = 'inline'

/** Runs Kubernetes' suite of kubectl against a root plane and prints how many assertions hold. */
export async function runTestCmd(): Promise<void> {
  for (const tool of ['bash', 'curl', 'jq', 'openssl', 'script', 'tput']) await requireTool(tool)
  const kubectl = await buildProgram('kubectl')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-test-cmd-'))
  try {
    const suite = path.join(folder, 'kubernetes')
    await copySources(await findSources(), suite)
    await mkdir(path.join(suite, '_output/bin'), { recursive: true })
    await symlink(kubectl, path.join(suite, '_output/bin/kubectl'))
    await runSuite(suite, path.join(folder, 'data'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function requireTool(tool: string): Promise<void> {
  await runTool('sh', ['-c', `command -v ${tool}`], { cwd: '/', timeoutMs: 60_000 }).catch(() => {
    throw new Skipped(`${tool} is missing`)
  })
}

/** The folder of the module that the programs are built from. It can be absent if they are cached. */
async function findSources(): Promise<string> {
  const options = { cwd: MODULE, timeoutMs: 300_000, env: { GOTOOLCHAIN: 'local' } }
  await installTool('go', ['mod', 'download', 'k8s.io/kubernetes'], options)
  const args = ['list', '-m', '-f', '{{.Dir}}', 'k8s.io/kubernetes']
  return (await runTool('go', args, options)).trim()
}

/** Modules are read-only, and their archives lack the permission to execute. */
async function copySources(from: string, to: string): Promise<void> {
  for (const folder of SOURCES) {
    await cp(path.join(from, folder), path.join(to, folder), { recursive: true })
  }
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
    await chmod(path.join(entry.parentPath, entry.name), 0o755)
  }
}

async function runSuite(suite: string, dataDir: string): Promise<void> {
  await using server = startProgram({ DATA_DIR: dataDir, TLS: 'self-signed=true' })
  const { port } = await server.ready()
  const texts = await readSuite(path.join(suite, 'test/cmd'))
  const called = functionsOf(texts.get('legacy-script.sh') ?? [])
  const notRun = Object.values(NOT_RUN).flat()
  const results: LineResult[] = []
  const unfinished: string[] = []
  for (const name of [INLINE, ...called.filter((one) => !notRun.includes(one))]) {
    const { lines, isFinished } = await runFunction(suite, name, port)
    results.push(...lines)
    if (!isFinished) unfinished.push(`did not end: ${name}`)
  }
  const textOf = (line: string): string => {
    const [file = '', number] = line.split(':')
    return texts.get(file)?.[Number(number) - 1] ?? ''
  }
  const { errors, ...counts } = compareAssertions(results, {
    notApplicable: NOT_APPLICABLE,
    textOf,
  })
  const absent = notRun
    .filter((name) => !called.includes(name))
    .map((name) => `listed, but the suite does not call it: ${name}`)
  console.log(`test/cmd                 ${counts.passed} of ${counts.applicable}`)
  console.log(`not applicable           ${counts.notApplicable}`)
  console.log(`functions not run        ${notRun.length} of ${called.length}`)
  assert.deepEqual([...errors, ...unfinished, ...absent], [])
  assert.deepEqual(counts, COUNTS)
}

/** The lines of each file. */
async function readSuite(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sh'))
  const read = async (name: string) =>
    [name, (await readFile(path.join(folder, name), 'utf8')).split('\n')] as const
  return new Map(await Promise.all(names.map(read)))
}

/** The functions that the suite calls. */
function functionsOf(script: readonly string[]): readonly string[] {
  return script.flatMap((line) => /^ +record_command (run_\w+)$/.exec(line)?.[1] ?? [])
}

async function runFunction(
  suite: string,
  name: string,
  port: number,
): Promise<{ readonly lines: readonly LineResult[]; readonly isFinished: boolean }> {
  const file = path.join(suite, `${name}.results`)
  await writeFile(file, '')
  const args = ['-k', '5', String(FUNCTION_TIMEOUT_MS / 1000), 'bash', RUN_FUNCTION]
  const options = { cwd: suite, timeoutMs: 2 * FUNCTION_TIMEOUT_MS }
  await runTool('timeout', [...args, name, String(port), file], options).catch(() => undefined)
  const text = await readFile(file, 'utf8')
  return {
    lines: text.split('\n').flatMap((line) => parseResult(line) ?? []),
    isFinished: text.endsWith(`end ${name}\n`),
  }
}

function parseResult(text: string): LineResult | null {
  const [outcome, line = ''] = text.split(' ')
  const isResult = outcome === 'pass' || outcome === 'fail' || outcome === 'unserved'
  return isResult ? { outcome, line } : null
}
