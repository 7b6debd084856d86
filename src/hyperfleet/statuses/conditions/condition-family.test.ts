import { expect, it } from 'vitest'
import { conditionsOfFamily } from './condition-family.ts'
import { replay, reports } from './fixtures.ts'

it.each([
  { family: 'v0.1', types: ['Available', 'Ready'] },
  { family: 'latest', types: ['Reconciled', 'LastKnownReconciled'] },
  { family: 'both', types: ['Available', 'Ready', 'Reconciled', 'LastKnownReconciled'] },
] as const)("$family shows $types, then the adapters' own", ({ family, types }) => {
  const { conditions } = replay(['a'], [reports('b', 'True'), reports('a', 'True')])
  const shown = conditionsOfFamily(conditions, family)
  expect(shown.map(({ type }) => type)).toEqual([...types, 'ASuccessful', 'BSuccessful'])
  expect(conditions).toEqual(expect.arrayContaining([...shown]))
})
