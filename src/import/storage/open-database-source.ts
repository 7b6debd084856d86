import type pg from 'pg'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { textOf } from '../../lib/json/json-fields.ts'
import { EXACT_TEXT, openClient } from '../../store/database/connection/open-client.ts'
import { ImportError } from '../import-error.ts'
import type { Source } from '../source.ts'
import { HYPERFLEET_SCHEMAS, type HyperfleetSchema } from './hyperfleet-schema.ts'

const PAGE_SIZE = 500

/** Column: namespace, that of the table if it has the column. */
const NAMESPACE_WITH_COLUMN = `
  select relnamespace::regnamespace::text as namespace
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where attrelid = to_regclass($1::text) and attname = $2::text and not attisdropped`

/** Opens the database of a HyperFleet server, whose generation its tables show. Reads only. */
export async function openDatabaseSource(url: string): Promise<Source> {
  const client = await openClient(url, { name: 'flotilla import', options: EXACT_TEXT })
  try {
    await client.query('set default_transaction_read_only = on')
    const { schema, namespace } = await detectSchema(client)
    return sourceOf(client, schema, namespace)
  } catch (error) {
    await client[Symbol.asyncDispose]()
    throw error
  }
}

/** The generation of the tables, and the PostgreSQL schema in which the session finds them. */
async function detectSchema(
  client: pg.Client,
): Promise<{ readonly schema: HyperfleetSchema; readonly namespace: string }> {
  for (const schema of HYPERFLEET_SCHEMAS) {
    const { rows } = await client.query<{ namespace: string }>(NAMESPACE_WITH_COLUMN, [
      ...schema.mark,
    ])
    const [row] = rows
    if (row !== undefined) return { schema, namespace: row.namespace }
  }
  throw new ImportError(
    'the source has no tables of HyperFleet: expected clusters with status_conditions (v0.1), or resources with tenancy (later)',
  )
}

function sourceOf(
  client: pg.Client & AsyncDisposable,
  { version, count, remarks, pageOf }: HyperfleetSchema,
  namespace: string,
): Source {
  // Followers of two installations in one database must not take each other for their own.
  const place = namespace === 'public' ? '' : `schema ${namespace} of `
  return {
    title: `HyperFleet ${version}, ${place}database ${client.database ?? ''} on ${client.host}:${client.port}`,
    unlisted: new Set(),
    mayHideTenants: false,
    count: async () => {
      const { rows } = await client.query<{ kind: string; total: number }>(count)
      return new Map(rows.map(({ kind, total }) => [kind, total]))
    },
    remarks: async () => (await client.query<{ kind: string; text: string }>(remarks)).rows,
    pages: async function* pages({ kind }, changes) {
      const text = pageOf(kind)
      if (text === null) return
      const statement = { name: `import_${kind}`.slice(0, 60), text }
      let last = ''
      for (;;) {
        const values = [kind, last, PAGE_SIZE, changes?.since ?? null]
        const { rows } = await client.query<{ resource: string }>({ ...statement, values })
        const page = rows.map(({ resource }) => documentOf(resource))
        if (page.length > 0) yield page
        if (page.length < PAGE_SIZE) return
        last = textOf(page.at(-1)?.['id'])
      }
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

function documentOf(text: string): JsonObject {
  const value: JsonValue = JSON.parse(text)
  if (isJsonObject(value)) return value
  throw new ImportError('the source returned a row that is no object')
}
