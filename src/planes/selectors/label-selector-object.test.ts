import { describe, expect, it } from 'vitest'
import { labelSelectorErrors, labelSelectorRequirements } from './label-selector-object.ts'

describe('R12: LabelSelector objects', () => {
  it('R12: combines matchLabels and matchExpressions', () => {
    const selector = {
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'NotIn', values: ['db', 'cache'] },
        { key: 'canary', operator: 'DoesNotExist' },
      ],
    }
    expect(labelSelectorRequirements(selector)).toEqual([
      { operator: 'in', key: 'app', values: ['web'] },
      { operator: 'not-in', key: 'tier', values: ['cache', 'db'] },
      { operator: 'absent', key: 'canary' },
    ])
    expect(labelSelectorErrors(selector, 'spec.selector')).toEqual([])
    expect(labelSelectorRequirements({})).toEqual([])
  })

  it('R12: rejects unknown operators', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }
    expect(() => labelSelectorRequirements(selector)).toThrow(
      expect.objectContaining({
        code: 400,
        message: '"Gt" is not a valid label selector operator',
      }),
    )
  })

  it('lists the violations with their paths', () => {
    const selector = {
      matchLabels: { 'a/': 'ok' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'b', operator: 'Exists', values: ['x'] },
        { key: 'c', operator: 'constructor' },
        { key: 'd', operator: 'In', values: ['-'] },
      ],
    }
    const fields = labelSelectorErrors(selector, 's').map(({ field, reason }) => [field, reason])
    expect(fields).toEqual([
      ['s.matchLabels', 'FieldValueInvalid'],
      ['s.matchLabels', 'FieldValueInvalid'],
      ['s.matchExpressions[0].values', 'FieldValueRequired'],
      ['s.matchExpressions[1].values', 'FieldValueForbidden'],
      ['s.matchExpressions[2].operator', 'FieldValueInvalid'],
      ['s.matchExpressions[3].values[0]', 'FieldValueInvalid'],
    ])
  })
})
