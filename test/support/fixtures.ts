import pg from 'pg'
import type { Kind } from '../../src/core/registry/kind.ts'
import { kinds } from '../../src/apis/hyperfleet/kinds/index.ts'
import type { TestServer } from './test-server.ts'

/** A kind as the tests of a verb, which are the same for every kind, see it. */
export interface KindCase {
  readonly kind: string
  /** Path of the list of all. */
  readonly flat: string
  readonly longestName: number
  readonly requiredAdapters: readonly string[]
  readonly accessible: string
  /** Path of a collection that resources are created in, new where the kind has a parent. */
  readonly collectionOf: (server: TestServer) => Promise<string>
}

/** Every kind of the server: a new one is tested without a change here. */
export const KIND_CASES: readonly KindCase[] = kinds.map((kind) => ({
  kind: kind.kind,
  flat: `/${kind.plural}`,
  longestName: kind.name.maxLength,
  requiredAdapters: kind.requiredAdapters,
  accessible: kind.messages.available,
  collectionOf: (server) => newCollection(server, kind),
}))

/** The kind's own collection, or the one of a new parent. */
async function newCollection(server: TestServer, kind: Kind): Promise<string> {
  const parent = kinds.find((candidate) => candidate.kind === kind.parent?.kind)
  if (!parent) return `/${kind.plural}`
  const created = await server.post(await newCollection(server, parent), creation(parent.kind))
  return `/${parent.plural}/${created.body.id}/${kind.plural}`
}

let names = 0

/** A name that no other call in this file has returned. */
export function newName(): string {
  names += 1
  return `name-${names}`
}

/** A valid body of a creation. */
export function creation(kind: string, members: object = {}) {
  return { kind, name: newName(), spec: { size: 1 }, ...members }
}

/** Creates a resource; `item` is its path through the collection. */
export async function create(
  server: TestServer,
  kind: KindCase,
  members: object = {},
  collection?: string,
) {
  const place = collection ?? (await kind.collectionOf(server))
  const answer = await server.post(place, creation(kind.kind, members))
  if (answer.status !== 201) throw new Error(`not created: ${answer.text}`)
  return { body: answer.body, collection: place, item: `${place}/${answer.body.id}` }
}

/** A valid body of a report, by default of Available True at generation 1. */
export function report(adapter: string, members: object = {}) {
  return {
    adapter,
    observed_generation: 1,
    observed_time: '2026-01-01T00:00:00Z',
    conditions: [{ type: 'Available', status: 'True', reason: 'Works', message: 'It works' }],
    ...members,
  }
}

/** The conditions of an answer by type. */
export function conditionsOf(body: {
  status: { conditions: { type: string; status: string; [member: string]: unknown }[] }
}) {
  return new Map(body.status.conditions.map((condition) => [condition.type, condition]))
}

/** Runs one statement on the server's database. */
export async function queryDatabase(server: TestServer, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text, values)
    return rows
  } finally {
    await client.end()
  }
}
