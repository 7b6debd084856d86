import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conditionsOf, create, KIND_CASES, report } from './fixtures.ts'
import { startTestServer, type TestServer } from './test-server.ts'

interface Vector {
  readonly id: number
  readonly note: string
  readonly required_adapters: readonly string[]
  readonly steps: readonly Step[]
  readonly expect: Readonly<Record<string, object | null>>
}

type Step =
  | { readonly op: 'change-spec'; readonly generation: number }
  | {
      readonly op: 'report'
      readonly adapter: string
      readonly observed_generation: number
      /** Null: the report carries another condition only. */
      readonly available: string | null
      readonly answer: number
    }

const file = new URL('vectors/conditions.json', import.meta.url)
const { cases }: { cases: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'))

const adapterLists = new Set(cases.map((vector) => JSON.stringify(vector.required_adapters)))

describe.each([...adapterLists])('with the required adapters %s', (adapters) => {
  const vectors = cases.filter((vector) => JSON.stringify(vector.required_adapters) === adapters)
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({
      env: { HYPERFLEET_CLUSTER_ADAPTERS: adapters, HYPERFLEET_NODEPOOL_ADAPTERS: adapters },
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  describe.each(KIND_CASES)('$kind', (kindCase) => {
    test.each(vectors)('case $id: $note', async (vector) => {
      const { item } = await create(server, kindCase)
      for (const [index, step] of vector.steps.entries()) await take(item, step, index)
      const { body } = await server.get(item)
      const shown = conditionsOf(body)
      for (const [type, expected] of Object.entries(vector.expect)) {
        if (expected === null) expect(shown.has(type)).toBe(false)
        else expect(shown.get(type)).toMatchObject(expected)
      }
      await expectFound(body.id, shown)
    })
  })

  async function take(item: string, step: Step, index: number): Promise<void> {
    if (step.op === 'change-spec') {
      const { status, body } = await server.patch(item, { spec: { changed: index } })
      expect({ status, generation: body.generation }).toEqual({
        status: 200,
        generation: step.generation,
      })
      return
    }
    const { adapter, observed_generation, available } = step
    const condition = {
      type: available === null ? 'Health' : 'Available',
      status: available ?? 'True',
    }
    const answer = await server.post(
      `${item}/statuses`,
      report(adapter, { observed_generation, conditions: [condition] }),
    )
    expect(answer.status).toBe(step.answer)
  }

  /** A search by condition agrees with what is shown. */
  async function expectFound(
    id: string,
    shown: ReadonlyMap<string, { status: string }>,
  ): Promise<void> {
    const terms = [...shown]
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

test('there are vectors', () => {
  expect(cases.length).toBeGreaterThanOrEqual(25)
})
