import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { created, type Step, take } from './fixtures.ts'

interface Expected {
  readonly status: string
  readonly observed_generation: number
}

interface Vectors {
  readonly cases: readonly {
    readonly id: number
    readonly note: string
    readonly required_adapters: readonly string[]
    readonly steps: readonly (Step & { readonly answer?: number; readonly generation?: number })[]
    readonly expect: Readonly<Record<string, Expected | null>>
  }[]
}

const file = new URL('../../../test/vectors/conditions.json', import.meta.url)
const vectors: Vectors = JSON.parse(readFileSync(file, 'utf8'))

describe('the conditions vectors', () => {
  it.each(vectors.cases)('hold in case $id: $note', (vector) => {
    let held = created(vector.required_adapters)
    for (const [index, step] of vector.steps.entries()) {
      const taken = take(held, step, index + 1)
      held = taken.held
      if (step.op === 'report') {
        expect(taken.judgement).toHaveProperty(step.answer === 204 ? 'discard' : 'store')
      } else {
        expect(held.generation).toBe(step.generation)
      }
    }
    const actual = new Map(held.conditions.map((condition) => [condition.type, condition]))
    for (const [type, expected] of Object.entries(vector.expect)) {
      if (expected === null) expect(actual.get(type)).toBeUndefined()
      else expect(actual.get(type)).toMatchObject(expected)
    }
  })
})
