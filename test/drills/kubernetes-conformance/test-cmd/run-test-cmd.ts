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
import { buildProgram, moduleFolder, type Release } from '../programs.ts'
import { countByReason, recordResults } from '../results.ts'
import { startKubernetes } from '../start-kubernetes.ts'
import { compareAssertions, type LineResult } from './compare-assertions.ts'
import { EXPECTED } from './not-applicable.ts'

const RUN_FUNCTION = fileURLToPath(new URL('run-function.sh', import.meta.url))
const FUNCTION_TIMEOUT_MS = 600_000
/** The folders of Kubernetes' sources that the suite reads. */
const SOURCES = ['hack', 'test/cmd', 'test/fixtures', 'third_party/forked/shell2junit']
/** The assertions of runTests itself. */
const INLINE = 'inline'
/** As in hack/make-rules/test-cmd.sh. */
const KUBERNETES_ARGS = [
  '--authorization-mode=RBAC,AlwaysAllow',
  '--enable-admission-plugins=LimitRanger,ResourceQuota',
  '--disable-admission-plugins=ServiceAccount,DefaultStorageClass,DefaultTolerationSeconds,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,StorageObjectInUseProtection',
]

/** The suite in a folder that it may change. */
interface Suite {
  readonly folder: string
  /** The lines of each file. */
  readonly texts: ReadonlyMap<string, readonly string[]>
}

interface SuiteRun {
  readonly results: readonly LineResult[]
  readonly errors: readonly string[]
}

/**
 * Runs Kubernetes' suite of kubectl against a root plane and, if the release is the one that planes
 * follow, against Kubernetes. Prints how many assertions hold.
 */
export async function runTestCmd(release: Release): Promise<void> {
  for (const tool of ['bash', 'curl', 'jq', 'openssl', 'script', 'tput']) await requireTool(tool)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-test-cmd-'))
  const suite = (name: string): Promise<Suite> => copySuite(release, path.join(folder, name))
  try {
    // Both wait most of the time.
    const [planes, kubernetes] = await Promise.all([
      suite('planes').then((copy) => runOnPlane(copy, release)),
      release === '1.35'
        ? suite('kubernetes').then((copy) => runOnKubernetes(copy, release))
        : null,
    ])
    const { texts } = await suite('texts')
    const textOf = (line: string): string => {
      const [file = '', number] = line.split(':')
      return texts.get(file)?.[Number(number) - 1] ?? ''
    }
    const { notRun, notApplicable } = EXPECTED[release]
    const { errors, others, passed } = compareAssertions(
      { planes: planes.results, kubernetes: kubernetes && kubernetes.results },
      { notApplicable, textOf },
    )
    await recordResults(release, 'test/cmd', {
      passed,
      others: { ...others, functions: countByReason(notRun) },
      errors: [...errors, ...planes.errors],
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function requireTool(tool: string): Promise<void> {
  await runTool('sh', ['-c', `command -v ${tool}`], { cwd: '/', timeoutMs: 60_000 }).catch(() => {
    throw new Skipped(`${tool} is missing`)
  })
}

async function copySuite(release: Release, folder: string): Promise<Suite> {
  const kubectl = await buildProgram('kubectl', release)
  await copySources(await findSources(release), folder)
  await mkdir(path.join(folder, '_output/bin'), { recursive: true })
  await symlink(kubectl, path.join(folder, '_output/bin/kubectl'))
  return { folder, texts: await readSuite(path.join(folder, 'test/cmd')) }
}

/** The folder of the module that the programs are built from. It can be absent if they are cached. */
async function findSources(release: Release): Promise<string> {
  const options = {
    cwd: moduleFolder(release),
    timeoutMs: 300_000,
    env: { GOTOOLCHAIN: 'local' },
  }
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

async function readSuite(folder: string): Promise<Suite['texts']> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sh'))
  const read = async (name: string) =>
    [name, (await readFile(path.join(folder, name), 'utf8')).split('\n')] as const
  return new Map(await Promise.all(names.map(read)))
}

async function runOnPlane(suite: Suite, release: Release): Promise<SuiteRun> {
  const env = { DATA_DIR: path.join(suite.folder, 'data'), TLS: 'self-signed=true' }
  await using server = startProgram(env)
  const { port } = await server.ready()
  return await runSuite(suite, release, port)
}

async function runOnKubernetes(suite: Suite, release: Release): Promise<SuiteRun> {
  const folder = path.join(suite.folder, 'data')
  await mkdir(folder)
  const authority = path.join(suite.folder, 'hack/testdata/ca/ca.crt')
  const args = [...KUBERNETES_ARGS, `--client-ca-file=${authority}`]
  await using kubernetes = await startKubernetes({ release, folder, args })
  return await runSuite(suite, release, kubernetes.port)
}

async function runSuite(
  { folder, texts }: Suite,
  release: Release,
  port: number,
): Promise<SuiteRun> {
  const called = functionsOf(texts.get('legacy-script.sh') ?? [])
  const notRun = Object.values(EXPECTED[release].notRun).flat()
  const results: LineResult[] = []
  const errors = notRun
    .filter((name) => !called.includes(name))
    .map((name) => `listed, but the suite does not call it: ${name}`)
  for (const name of [INLINE, ...called.filter((one) => !notRun.includes(one))]) {
    const { lines, isFinished } = await runFunction(folder, name, port)
    results.push(...lines)
    if (!isFinished) errors.push(`did not end: ${name}`)
  }
  return { results, errors }
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
