import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { created, type Step, take } from '../fixtures.ts'
import { isFinalized } from '../is-finalized.ts'

interface Expected {
  readonly status: string
  readonly observed_generation: number
}

interface Vector {
  readonly id: number
  readonly note: string
  readonly required_adapters: readonly string[]
  readonly steps: readonly (Step & { readonly answer?: number; readonly generation?: number })[]
  readonly expect: Readonly<Record<string, Expected | null>>
  /** Whether the last step finished the deletion. */
  readonly finalized?: boolean
}

describe.each(['conditions', 'conditions-families'])('the vectors of %s', (name) => {
  const file = new URL(`../../../../../test/vectors/${name}.json`, import.meta.url)
  const { cases }: { readonly cases: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'))

  it.each(cases)('pass: $id, $note', (vector) => {
    let held = created(vector.required_adapters)
    for (const [index, step] of vector.steps.entries()) {
      const taken = take(held, step, index + 1)
      held = taken.held
      if (step.op === 'report') {
        expect(taken.validation).toHaveProperty(step.answer === 204 ? 'discard' : 'store')
      } else {
        expect(held.generation).toBe(step.generation)
      }
    }
    const actual = new Map(held.conditions.map((condition) => [condition.type, condition]))
    for (const [type, expected] of Object.entries(vector.expect)) {
      if (expected === null) expect(actual.get(type)).toBeUndefined()
      else expect(actual.get(type)).toMatchObject(expected)
    }
    const { required, generation, deleting, rows } = held
    const finalized = deleting && isFinalized({ required, generation, reports: [...rows.values()] })
    expect(finalized).toBe(vector.finalized ?? false)
  })
})
