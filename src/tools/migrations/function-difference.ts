import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { errorMessage } from '../../lib/error-message.ts'

/** The files of stored functions by the name of the function, in the order of the names. */
export type FunctionFiles = ReadonlyMap<string, string>

/** PostgreSQL cannot replace a function by one with another result or other names of parameters. */
const NOT_REPLACEABLE = '42P13'

interface StoredFunction {
  readonly name: string
  /** `name(types of the arguments)` */
  readonly signature: string
  readonly definition: string
  /** The transaction that wrote it last. */
  readonly writer: string
}

/** Reads `<name>.sql` files, each with all functions of that name. */
export async function readFunctionFiles(directory: string): Promise<FunctionFiles> {
  const names = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  const texts = names.map((file) => readFile(path.join(directory, file), 'utf8'))
  return new Map(
    (await Promise.all(texts)).map((text, i) => [path.parse(names[i] ?? '').name, text]),
  )
}

/**
 * The SQL that changes the stored functions of a migrated database to those of the files, or '' if
 * they already agree. PostgreSQL compares them: the files run in a transaction that is rolled back.
 */
export async function functionDifference(url: string, files: FunctionFiles): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    return await difference(client, files)
  } finally {
    await client.end()
  }
}

async function difference(client: pg.Client, files: FunctionFiles): Promise<string> {
  const before = await readFunctions(client)
  const dropped = new Set<string>()
  for (const [name, text] of files) {
    const signatures = before.filter((one) => one.name === name).map((one) => one.signature)
    for (const signature of await run(client, { name, text }, signatures)) dropped.add(signature)
  }
  const after = await readFunctions(client)
  const writers = new Map(before.map((one) => [one.signature, one.writer]))
  const written = after.filter(({ signature, writer }) => writers.get(signature) !== writer)
  requireNames(written, files)
  for (const { signature } of after) {
    if (written.every((one) => one.signature !== signature)) dropped.add(signature)
  }
  const definitions = new Set(before.map((one) => one.definition))
  const changed = new Set(
    written.filter((one) => !definitions.has(one.definition)).map((one) => one.name),
  )
  return [
    ...[...dropped].map((signature) => `drop function ${signature};\n`),
    ...[...files].filter(([name]) => changed.has(name)).map(([, text]) => text),
  ].join('\n')
}

/** Runs a file and returns the signatures that it cannot replace, which it dropped first. */
async function run(
  client: pg.Client,
  { name, text }: { readonly name: string; readonly text: string },
  signatures: readonly string[],
): Promise<readonly string[]> {
  try {
    await client.query('savepoint before_file')
    try {
      await client.query(text)
      return []
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== NOT_REPLACEABLE) throw error
      await client.query('rollback to before_file')
      for (const signature of signatures) await client.query(`drop function ${signature}`)
      await client.query(text)
      return signatures
    }
  } catch (error) {
    throw new Error(`prisma/functions/${name}.sql: ${errorMessage(error)}`, { cause: error })
  }
}

/** A file must create the functions of its name, and no other. */
function requireNames(written: readonly StoredFunction[], files: FunctionFiles): void {
  const names = new Set(written.map(({ name }) => name))
  const wrong = [
    ...[...names].filter((name) => !files.has(name)),
    ...[...files.keys()].filter((name) => !names.has(name)),
  ]
  if (wrong.length === 0) return
  throw new Error(
    `prisma/functions/<name>.sql must create <name>, and no other function: ${wrong.join(', ')}`,
  )
}

async function readFunctions(client: pg.Client): Promise<readonly StoredFunction[]> {
  const { rows } = await client.query<StoredFunction>(`
    select proname::text as name, oid::regprocedure::text as signature,
      pg_get_functiondef(oid) as definition, xmin::text as writer
    from pg_proc
    where pronamespace = current_schema()::regnamespace
      and not exists (
        select from pg_depend
        where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    order by signature`)
  return rows
}
