import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PLANE_DIFFERENCES, type PlaneDifference } from './differences.ts'
import { evidenceOf, type Results, suiteRows } from './suite-results.ts'

const DIFFERENCES = '<!-- Generated from src/tools/planes-differences/differences.ts. -->'
const RESULTS = '<!-- Generated from test/drills/kubernetes-conformance/results.json. -->'
const END = '<!-- End of the generated table. -->'
const RESULTS_FILE = 'test/drills/kubernetes-conformance/results.json'
/** The release that planes follow. */
const RELEASE = '1.35'
/** Begins the reasons that are no differences. */
const SUITE = 'suite'

/** Generates docs/planes.md: replaces its tables of results and of differences. */
export async function planesPage(root: URL): Promise<string> {
  const read = (file: string) => readFile(new URL(file, root), 'utf8')
  const tests = PLANE_DIFFERENCES.flatMap(({ test }) => (test ? [test[0]] : []))
  const texts = tests.map(async (file) => [file, await read(file)] as const)
  const results: Results = JSON.parse(await read(RESULTS_FILE))
  const page = withDifferences(await read('docs/planes.md'), PLANE_DIFFERENCES, {
    evidence: evidenceOf(results[RELEASE] ?? {}),
    files: new Map(await Promise.all(texts)),
  })
  return withTable(page, RESULTS, [RESULTS_HEAD, ...suiteRows(results)])
}

interface Sources {
  /** The counts in Kubernetes' suites, by the id of the difference. */
  readonly evidence: ReadonlyMap<string, string>
  /** The text of each file with a test. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * The page with another table of differences. Throws if an id is not unique, if a file has no test with
 * the text, or if the suites show a difference that is not listed.
 */
export function withDifferences(
  page: string,
  differences: readonly PlaneDifference[],
  { evidence, files }: Sources,
): string {
  const ids = new Set(differences.map(({ id }) => id))
  if (ids.size < differences.length) throw new Error('two differences have the same id')
  const unknown = [...evidence.keys()].filter((id) => id !== SUITE && !ids.has(id))
  if (unknown.length > 0) throw new Error(`the suites show ${unknown.join(', ')}, not listed`)
  const rows = differences.map((difference) => [
    ...cellsOf(difference, files),
    evidence.get(difference.id) ?? '',
  ])
  return withTable(page, DIFFERENCES, [DIFFERENCES_HEAD, ...rows])
}

const RESULTS_HEAD = ['Release', 'Suite', 'Applicable', 'kube-apiserver', 'Planes']
const DIFFERENCES_HEAD = ['Id', 'Topic', 'Difference', 'Reason', 'In the suites']

function cellsOf(
  { id, topic, difference, reason, test }: PlaneDifference,
  files: ReadonlyMap<string, string>,
): readonly string[] {
  if (!test) return [id, topic, difference, reason]
  const [file, text] = test
  if (!files.get(file)?.includes(text)) throw new Error(`${file} has no test of ${id}: ${text}`)
  const name = path.basename(file).replace(/(\.test)?\.ts$/, '')
  return [id, topic, `${difference} Test: [${name}](../${file}).`, reason]
}

/** The page with another table after a comment. */
function withTable(page: string, start: string, rows: readonly (readonly string[])[]): string {
  const from = page.indexOf(start)
  const to = page.indexOf(END, from)
  if (from < 0 || to < 0) throw new Error(`the page has no place for a table: ${start}`)
  return `${page.slice(0, from)}${start}\n\n${tableOf(rows)}\n\n${page.slice(to)}`
}

/** Columns are aligned as the formatter does. */
function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((text, index) =>
    Math.max(text.length, ...rows.map((row) => (row[index] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}
