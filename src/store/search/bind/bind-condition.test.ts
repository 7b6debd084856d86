import { describe, expect, it } from 'vitest'
import { bound, rejection } from '../fixtures.ts'

describe('fields of conditions', () => {
  const ready = 'status.conditions.Ready'

  it('are null if the condition is', () => {
    for (const part of ['last_updated_time', 'observed_generation', 'reason']) {
      expect(bound(`${ready}.${part} is null`)).toEqual(bound(`${ready} is null`))
      expect(bound(`not ${ready}.${part} is null`)).toEqual(bound(`${ready} is not null`))
    }
  })

  it('have the required adapters if reports set their time', () => {
    expect(bound(`${ready}.last_updated_time < '2026-01-01'`)).toMatchObject({
      operand: { source: 'update', condition: 'Ready', requiredAdapters: ['dns', 'validator'] },
    })
    expect(bound(`${ready}.last_transition_time < '2026-01-01'`)).toMatchObject({
      operand: { source: 'transition', condition: 'Ready' },
    })
  })

  it('are integers and times', () => {
    const generation = `${ready}.observed_generation`
    expect(bound(`${generation} = 1 or ${generation} = 2`)).toEqual(
      bound(`${generation} in (1, 2)`),
    )
    expect(bound(`not ${generation} between 1 and 2`)).toEqual(
      bound(`${generation} < 1 or ${generation} > 2`),
    )
    expect(rejection(`${generation} = 1.5`).message).toContain('expected an integer')
    expect(rejection(`${ready}.last_updated_time > 'now'`).message).toContain('RFC 3339')
  })

  it('of two conditions are not merged', () => {
    const text = `${ready}.observed_generation = 1 or status.conditions.Other.observed_generation = 1`
    expect(bound(text)).toMatchObject({ type: 'or' })
    expect(bound(`${ready}.observed_generation = 1 or generation = 1`)).toMatchObject({
      type: 'or',
    })
  })

  it.each([
    ['foo', ''],
    ['last_update_time', "; did you mean 'status.conditions.Ready.last_updated_time'? Parts"],
    ['observedGeneration', "; did you mean 'status.conditions.Ready.observed_generation'? Parts"],
    ['status', "; did you mean 'status.conditions.Ready'? Parts"],
    ['message', '; parts'],
    ['last_updated_time.x', "; did you mean 'status.conditions.Ready.last_updated_time'? Parts"],
  ])('are listed in the error for %s', (part, question) => {
    const error = rejection(`name = 'x' and ${ready}.${part} = 1`)
    expect(error.message).toContain(
      `expected a part of a condition at 15, found '${ready}.${part}'${question}`,
    )
    expect(error.message).toMatch(
      /arts: last_updated_time, last_transition_time, observed_generation, reason$/,
    )
    expect(error.causes[0]).toMatchObject({ value: `${ready}.${part}`, position: 15 })
  })
})
