import fc, { type Arbitrary } from 'fast-check'
import type { JsonObject } from '../../src/lib/json/json.ts'
import { objectOf, textOf } from '../../src/lib/json/json-fields.ts'
import { must } from '../../src/lib/assert.ts'
import { openClient } from '../../src/store/database/connection/open-client.ts'
import { randomSearch, type TranslatedSearch } from './random-searches.ts'
import { recordedResponses, type Version } from './recorded.ts'
import { sourceFields } from './source-fields.ts'

/** A search of a list. `where` selects its items in the tables. */
interface ListRequest extends TranslatedSearch {
  readonly path: string
  readonly page: number
  readonly size: number
}

interface SourceTables extends AsyncDisposable {
  readonly requests: Arbitrary<ListRequest>
  /** All items of a list, as HyperFleet returns them, in its order. */
  select(request: ListRequest): Promise<readonly JsonObject[]>
}

const TABLES = {
  'v0.1.1': {
    clusters: 'from clusters as found where found.deleted_at is null',
    nodepools: 'from node_pools as found where found.deleted_at is null',
  },
  main: {
    clusters: `from resources as found where found.kind = 'Cluster'`,
    nodepools: `from resources as found where found.kind = 'NodePool'`,
  },
} as const

/** Evaluates searches by SQL in the database of a HyperFleet server. */
export async function openSourceTables(url: string, version: Version): Promise<SourceTables> {
  const resources = recordedResponses(version)
    .filter(({ path }) => /\/(clusters|nodepools)\/[^/]+$/.test(path))
    .map(({ body }) => body)
  const byId = new Map(resources.map((each) => [textOf(each['id']), each]))
  const client = await openClient(url)
  return {
    requests: fc.oneof(
      requestsOf(version, 'clusters', resources),
      requestsOf(version, 'nodepools', resources),
    ),
    select: async ({ where }) => {
      const { rows } = await client.query<{ id: string }>(
        `select found.id ${where} order by found.created_time desc, found.id desc`,
      )
      return rows.map(({ id }) => must(byId.get(id), 'a recorded resource'))
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

function requestsOf(
  version: Version,
  plural: 'clusters' | 'nodepools',
  resources: readonly JsonObject[],
): Arbitrary<ListRequest> {
  const kind = plural === 'clusters' ? 'Cluster' : 'NodePool'
  const items = resources.filter((each) => each['kind'] === kind)
  const owners = new Set(items.map((each) => textOf(objectOf(each['owner_references'])['id'])))
  const paths = [...owners].map((owner) =>
    owner === '' ? [] : [{ path: `/clusters/${owner}/${plural}`, owner }],
  )
  return fc
    .record({
      found: randomSearch(sourceFields(version, items)),
      page: fc.constantFrom(1, 1, 2),
      size: fc.constantFrom(1, 3, 20),
      route: fc.constantFrom({ path: `/${plural}`, owner: null }, ...paths.flat()),
    })
    .map(({ found, page, size, route: { path, owner } }) => ({
      path,
      page,
      size,
      search: found.search,
      where: `${TABLES[version][plural]} and (${found.where})${owner === null ? '' : ` and found.owner_id = '${owner}'`}`,
    }))
}
