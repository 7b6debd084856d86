import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conditionsOf, create, KIND_CASES, report } from '../support/fixtures.ts'
import { proofCases } from '../support/proof-size.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

interface Vector {
  readonly id: number
  readonly note: string
  readonly required_adapters: readonly string[]
  readonly steps: readonly Step[]
  readonly expect: Readonly<Record<string, object | null>>
  /** Whether the last step removes the resource. */
  readonly finalized?: boolean
}

type Step =
  | { readonly op: 'change-spec' | 'delete'; readonly generation: number }
  | {
      readonly op: 'report'
      readonly adapter: string
      readonly observed_generation: number
      /** Null if the report contains only another condition. */
      readonly available: string | null
      readonly finalized?: boolean
      readonly answer: number
    }

const FILES = [
  { name: 'conditions', family: 'v0.1' },
  { name: 'conditions-families', family: 'both' },
]

const suites = FILES.flatMap(({ name, family }) => {
  const file = new URL(`../vectors/${name}.json`, import.meta.url)
  const { cases }: { cases: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'))
  const adapterLists = new Set(cases.map((vector) => JSON.stringify(vector.required_adapters)))
  return [...adapterLists].map((adapters) => {
    const vectors = cases.filter((each) => JSON.stringify(each.required_adapters) === adapters)
    return { name, family, adapters, vectors }
  })
})

describe.each(suites)('the vectors of $name with $adapters', ({ family, adapters, vectors }) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        HYPERFLEET_CONDITIONS: family,
        HYPERFLEET_CLUSTER_ADAPTERS: adapters,
        HYPERFLEET_NODEPOOL_ADAPTERS: adapters,
      },
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const all = vectors.flatMap((vector) =>
    KIND_CASES.map((kindCase, place) => ({ ...vector, kindCase, place })),
  )
  const cases = proofCases(all, ({ id, place }) => id % KIND_CASES.length === place)

  test.each(cases)('case $id of $kindCase.kind: $note', async ({ kindCase, ...vector }) => {
    const { item } = await create(server, kindCase)
    for (const [index, step] of vector.steps.entries()) await apply(item, step, index)
    const { status, body } = await server.get(item)
    expect(status).toBe(vector.finalized === true ? 404 : 200)
    if (status === 404) return
    const conditions = conditionsOf(body)
    for (const [type, expected] of Object.entries(vector.expect)) {
      if (expected === null) expect(conditions.has(type)).toBe(false)
      else expect(conditions.get(type)).toMatchObject(expected)
    }
    await expectFound(body.id, conditions)
  })

  async function apply(item: string, step: Step, index: number): Promise<void> {
    if (step.op !== 'report') {
      const { status, body } =
        step.op === 'delete'
          ? await server.request('DELETE', item)
          : await server.patch(item, { spec: { changed: index } })
      expect({ status, generation: body.generation }).toEqual({
        status: step.op === 'delete' ? 202 : 200,
        generation: step.generation,
      })
      return
    }
    const { adapter, observed_generation, available, finalized } = step
    const first =
      available === null
        ? { type: 'Health', status: 'True' }
        : { type: 'Available', status: available }
    const conditions = [
      first,
      ...(finalized === true ? [{ type: 'Finalized', status: 'True' }] : []),
    ]
    const response = await server.post(
      `${item}/statuses`,
      report(adapter, { observed_generation, conditions }),
    )
    expect(response.status).toBe(step.answer)
  }

  /** Expects a search by these conditions to find the resource, and only in the list of its kind. */
  async function expectFound(
    id: string,
    conditions: ReadonlyMap<string, { status: string }>,
  ): Promise<void> {
    const terms = [...conditions]
      .filter(([type]) => /^[A-Z][A-Za-z0-9]*$/.test(type))
      .map(([type, { status }]) => `status.conditions.${type}='${status}'`)
    const search = encodeURIComponent([`id='${id}'`, ...terms].join(' and '))
    const lists = [
      await server.get(`/clusters?search=${search}`),
      await server.get(`/nodepools?search=${search}`),
    ]
    expect(new Set(lists.map(({ body }) => body.total))).toEqual(new Set([0, 1]))
  }
})

test('the files contain vectors', () => {
  expect(suites.flatMap(({ vectors }) => vectors).length).toBeGreaterThanOrEqual(25 + 38)
})
