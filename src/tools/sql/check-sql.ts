import { readdir, readFile } from 'node:fs/promises'
import { PG_CONNECTIONS, SQL_STATEMENTS } from './sql-statements.ts'
import { statementsOf } from './statements-of.ts'

/** Lists SQL that the table of statements does not name, and names without a statement. */
export async function checkSql(root = new URL('../../', import.meta.url)): Promise<string | null> {
  const files = (await readdir(root, { recursive: true })).filter(isChecked)
  const sources = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(new URL(file, root), 'utf8') })),
  )
  const problems = sqlProblems(sources)
  return problems.length === 0 ? null : problems.join('\n')
}

/** A file, with its path relative to src/. */
interface Source {
  readonly file: string
  readonly text: string
}

/** One sentence for each difference between the sources and the table. */
export function sqlProblems(sources: readonly Source[]): readonly string[] {
  const listed = SQL_STATEMENTS.flatMap(({ names }) => names)
  const unused = new Set(listed)
  const problems = listed
    .filter((name, at) => listed.indexOf(name) !== at)
    .map((name) => `${name} is listed twice in src/tools/sql/sql-statements.ts`)
  for (const { file, text } of sources) {
    const { names, unnamed } = statementsOf(text)
    for (const name of names) {
      if (!listed.includes(name)) problems.push(`src/${file}: ${name} ${REMEDY}`)
      unused.delete(name)
    }
    if (usesConnections(file)) continue
    for (const use of unnamed) problems.push(`src/${file}: SQL without a name: ${use.slice(0, 80)}`)
  }
  const gone = [...unused].map(
    (name) => `no statement has the name ${name}: remove it from the list`,
  )
  return [...problems, ...gone].toSorted()
}

const REMEDY =
  'is SQL: use Database.withPrisma, or add it to the reason in src/tools/sql/sql-statements.ts'

function usesConnections(file: string): boolean {
  return PG_CONNECTIONS.some(({ folder }) => file.startsWith(`${folder}/`))
}

/** Tests may run any statement. The tools need pg to compare schemas. */
function isChecked(file: string): boolean {
  return (
    file.endsWith('.ts') &&
    !/\.(test|d)\.ts$|(^|\/)fixtures\.ts$/.test(file) &&
    !/^(generated|tools)\//.test(file)
  )
}
