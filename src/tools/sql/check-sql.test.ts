import { describe, expect, test } from 'vitest'
import { sqlProblems } from './check-sql.ts'
import { statementsOf } from './statements-of.ts'

const LISTED = `const READ = { name: 'read_resource', text: 'select 1' }`
const OTHER = `const READ = { name: 'read_other', text: 'select 1' }`

/** The problems of one file, without those of the statements that only other files have. */
function problemsOf(file: string, text: string): readonly string[] {
  return sqlProblems([{ file, text }]).filter((problem) => problem.startsWith(`src/${file}`))
}

describe('the check of SQL', () => {
  test('accepts a statement of the list', () => {
    expect(problemsOf('store/resources/read.ts', LISTED)).toEqual([])
  })

  test('rejects another statement, wherever it is', () => {
    const rejected = [expect.stringContaining('read_other is SQL: use Database.withPrisma')]
    expect(problemsOf('store/resources/read.ts', OTHER)).toEqual(rejected)
    expect(problemsOf('store/database/read.ts', OTHER)).toEqual(rejected)
  })

  test.each([
    'client.query(`select 1`)',
    'client.query(TEXT, [1])',
    "client.query('select 1')",
    "database.query('select 1 from resources', statement)",
    'prisma.$queryRaw`select 1`',
    'prisma.$executeRawUnsafe(text)',
    'const statement = { name, text }',
  ])('rejects `%s` unless the folder may use connections', (text) => {
    const rejected = [expect.stringContaining('SQL without a name')]
    expect(problemsOf('webhooks/storage/read.ts', text)).toEqual(rejected)
    expect(problemsOf('store/backups/read.ts', text)).toEqual([])
  })

  test('reports a name without a statement', () => {
    const source = { file: 'store/resources/read.ts', text: LISTED }
    const problems = sqlProblems([source])
    expect(problems).toContainEqual(expect.stringContaining('has the name insert_resource:'))
    expect(problems).not.toContainEqual(expect.stringContaining('has the name read_resource:'))
  })
})

test.each([
  ['both names of a condition', "({ name: a ? 'one' : 'two', text })", ['one', 'two']],
  ['a pattern for a template', '({ name: `list_${a}_${b}${c}`, text })', ['list_*_*']],
  ['the name of a composed statement', "database.query<Row>('search', sql`select 1`)", ['search']],
  ['no other object', "({ name: 'a', text: 'b', uid: 'c' })", []],
])('finds %s', (_, source, names) => {
  expect(statementsOf(source)).toEqual({ names, unnamed: [] })
})
