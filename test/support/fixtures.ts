import type { Kind } from '../../src/store/registry/kind.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import type { TestServer } from './test-server.ts'

/** A kind for tests that run for every kind. */
export interface KindCase {
  readonly kind: string
  /** Its index, and the number of kinds. */
  readonly place: number
  readonly places: number
  /** Path of the list of all resources of the kind. */
  readonly flat: string
  readonly longestName: number
  readonly requiredAdapters: readonly string[]
  readonly accessible: string
  /** Path of a collection to create in. Creates a parent if the kind has one. */
  readonly collectionOf: (server: TestServer) => Promise<string>
}

/** All built-in kinds whose spec may be any object. A new kind is included automatically. */
export const KIND_CASES: readonly KindCase[] = kinds
  .filter(hasAnySpec)
  .map((kind, place, { length }) => ({
    place,
    places: length,
    kind: kind.kind,
    flat: `/${kind.plural}`,
    longestName: kind.name.maxLength,
    requiredAdapters: kind.requiredAdapters,
    accessible: kind.messages.available,
    collectionOf: (server) => newCollection(server, kind),
  }))

/** The spec of a kind that selects resources has fixed members. */
function hasAnySpec({ selects }: Kind): boolean {
  return selects === undefined
}

/** The collection of a root kind, or the collection below a new parent. */
async function newCollection(server: TestServer, kind: Kind): Promise<string> {
  const parent = kinds.find((candidate) => candidate.kind === kind.parent?.kind)
  if (!parent) return `/${kind.plural}`
  const created = await server.post(await newCollection(server, parent), creation(parent.kind))
  return `/${parent.plural}/${created.body.id}/${kind.plural}`
}

let names = 0

/** Returns a name that is unique in the test file. */
export function newName(): string {
  names += 1
  return `name-${names}`
}

/** A valid body for a create request. */
export function creation(kind: string, fields: object = {}) {
  return { kind, name: newName(), spec: { size: 1 }, ...fields }
}

/** Creates a resource. In the result, `item` is its path below the collection. */
export async function create(
  server: TestServer,
  kind: KindCase,
  fields: object = {},
  parentCollection?: string,
) {
  const collection = parentCollection ?? (await kind.collectionOf(server))
  const response = await server.post(collection, creation(kind.kind, fields))
  if (response.status !== 201) throw new Error(`not created: ${response.text}`)
  return { body: response.body, collection, item: `${collection}/${response.body.id}` }
}

/** A valid report body; by default it reports Available True at generation 1. */
export function report(adapter: string, fields: object = {}) {
  return {
    adapter,
    observed_generation: 1,
    observed_time: '2026-01-01T00:00:00Z',
    conditions: [{ type: 'Available', status: 'True', reason: 'Works', message: 'It works' }],
    ...fields,
  }
}

/** The conditions of a resource, by type. */
export function conditionsOf(body: {
  status: { conditions: { type: string; status: string; [field: string]: unknown }[] }
}) {
  return new Map(body.status.conditions.map((condition) => [condition.type, condition]))
}

/** Runs a statement in the database of a server. */
export async function queryDatabase(server: TestServer, text: string, values: unknown[] = []) {
  const { rows } = await server.sessions.query<Record<string, unknown>>(text, values)
  return rows
}
