import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PLANE_DIFFERENCES, type PlaneDifference } from './differences.ts'

const START = '<!-- Generated from src/tools/planes-differences/differences.ts. -->'
const END = '<!-- End of the generated table. -->'

/** Generates docs/planes.md: replaces its table of differences. */
export async function planesPage(root: URL): Promise<string> {
  const read = (file: string) => readFile(new URL(file, root), 'utf8')
  const tests = PLANE_DIFFERENCES.flatMap(({ test }) => (test ? [test[0]] : []))
  const texts = tests.map(async (file) => [file, await read(file)] as const)
  return withDifferences(
    await read('docs/planes.md'),
    PLANE_DIFFERENCES,
    new Map(await Promise.all(texts)),
  )
}

/**
 * The page with another table. Throws if an id is not unique, or if a file has no test with the
 * text. `files` has the text of each file.
 */
export function withDifferences(
  page: string,
  differences: readonly PlaneDifference[],
  files: ReadonlyMap<string, string>,
): string {
  const [from, to] = [page.indexOf(START), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error('the page has no place for the table of differences')
  const ids = new Set(differences.map(({ id }) => id))
  if (ids.size < differences.length) throw new Error('two differences have the same id')
  const rows = differences.map((difference) => cellsOf(difference, files))
  return `${page.slice(0, from)}${START}\n\n${tableOf([HEAD, ...rows])}\n\n${page.slice(to)}`
}

const HEAD = ['Id', 'Topic', 'Difference', 'Reason']

function cellsOf(
  { id, topic, difference, reason, test }: PlaneDifference,
  files: ReadonlyMap<string, string>,
): readonly string[] {
  if (!test) return [id, topic, difference, reason]
  const [file, text] = test
  if (!files.get(file)?.includes(text)) throw new Error(`${file} has no test of ${id}: ${text}`)
  const name = path.basename(file).replace(/\.test\.ts$/, '')
  return [id, topic, `${difference} Test: [${name}](../${file}).`, reason]
}

/** Columns are aligned as the formatter does. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_head, index) =>
    Math.max(...rows.map((row) => (row[index] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  const [head = '', ...others] = rows.map(line)
  return [head, rule, ...others].join('\n')
}
