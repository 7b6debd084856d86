import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type FunctionFiles,
  functionDifference,
  readFunctionFiles,
} from '../../src/tools/migrations/function-difference.ts'
import { createTestDatabase, serverNames, type TestDatabase } from '../support/test-database.ts'

const FUNCTIONS = fileURLToPath(new URL('../../prisma/functions', import.meta.url))
const HAS_CHILD = 'create or replace function has_child(parent text) returns boolean'

describe.each(serverNames())('the stored functions of a migrated database on %s', (server) => {
  let database: TestDatabase
  let files: FunctionFiles
  beforeEach(async () => {
    database = await createTestDatabase(server)
    files = await readFunctionFiles(FUNCTIONS)
  })
  afterEach(() => database[Symbol.asyncDispose]())

  async function run(script: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(script)
    await client.end()
  }

  /** The files with one more, or with another text of one. */
  const filesWith = (name: string, text: string): FunctionFiles => new Map(files).set(name, text)

  function without(name: string): FunctionFiles {
    const others = new Map(files)
    others.delete(name)
    return others
  }

  /** The difference, which must lead to functions without a difference. */
  async function migrationTo(changed: FunctionFiles): Promise<string> {
    const script = await functionDifference(database.url, changed)
    await run(script)
    expect(await functionDifference(database.url, changed)).toBe('')
    return script
  }

  it('are those of prisma/functions: otherwise run npm run migrate', async () => {
    expect(await functionDifference(database.url, files)).toBe('')
  })

  it('are replaced if the text of a file changes', async () => {
    const text = `-- Never.\n${HAS_CHILD} language sql as $$ select false $$;\n`
    expect(await migrationTo(filesWith('has_child', text))).toBe(text)
  })

  it('are unchanged by a comment outside of the functions', async () => {
    const text = files.get('has_child') ?? ''
    const difference = functionDifference(database.url, filesWith('has_child', `-- More.\n${text}`))
    expect(await difference).toBe('')
  })

  it('include the function of a new file', async () => {
    const text = 'create or replace function one() returns integer language sql return 1;\n'
    expect(await migrationTo(filesWith('one', text))).toBe(text)
  })

  it('exclude functions without a file', async () => {
    expect(await migrationTo(without('resource_total'))).toBe(
      'drop function resource_total(text[],text,text);\n',
    )
    await run('create function planted(a integer) returns integer language sql return a')
    expect(await migrationTo(without('resource_total'))).toBe('drop function planted(integer);\n')
  })

  it('exclude the former signature of a function', async () => {
    const text = HAS_CHILD.replace('text', 'text, tenant text') + ' language sql return false;\n'
    expect(await migrationTo(filesWith('has_child', text))).toBe(
      `drop function has_child(text);\n\n${text}`,
    )
  })

  it('are dropped before a replacement that returns another type', async () => {
    const text = HAS_CHILD.replace('boolean', 'integer') + ' language sql return 1;\n'
    expect(await migrationTo(filesWith('has_child', text))).toBe(
      `drop function has_child(text);\n\n${text}`,
    )
  })

  it('are each created by the file of their name', async () => {
    const other = 'create or replace function other() returns integer language sql return 1;\n'
    await expect(functionDifference(database.url, filesWith('wrong', other))).rejects.toThrow(
      'prisma/functions/<name>.sql must create <name>, and no other function: other, wrong',
    )
  })

  it('are read from files, and an invalid file is named', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-functions-'))
    await writeFile(path.join(directory, 'broken.sql'), 'create or replace nonsense')
    const broken = await readFunctionFiles(directory)
    await rm(directory, { recursive: true })
    await expect(functionDifference(database.url, broken)).rejects.toThrow(
      'prisma/functions/broken.sql: syntax error at or near "nonsense"',
    )
  })
})
