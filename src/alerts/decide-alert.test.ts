import { expect, test } from 'vitest'
import { alertRuleOf, decideAlert } from './decide-alert.ts'

const NOW = new Date('2026-01-01T12:00:00Z')
const minutesAgo = (count: number): Date => new Date(NOW.getTime() - count * 60_000)
const RULE = { moreThan: 10, forMinutes: 5 }

test('an alert is within its limit while at most the accepted number matches', () => {
  for (const overSince of [null, minutesAgo(9)]) {
    expect(decideAlert(RULE, { count: 10, now: NOW, overSince })).toMatchObject({
      condition: { type: 'Firing', status: 'False', reason: 'WithinLimit' },
      overSince: null,
    })
  }
})

test('an alert is pending until more resources have matched for its time', () => {
  expect(decideAlert(RULE, { count: 11, now: NOW, overSince: null })).toMatchObject({
    condition: { status: 'False', reason: 'Pending' },
    overSince: NOW,
  })
  const overSince = minutesAgo(4.99)
  expect(decideAlert(RULE, { count: 12, now: NOW, overSince })).toMatchObject({
    condition: { status: 'False', reason: 'Pending' },
    overSince,
  })
})

test('an alert fires from then on, with the same texts for every count', () => {
  const [first, later] = [
    decideAlert(RULE, { count: 11, now: NOW, overSince: minutesAgo(5) }),
    decideAlert(RULE, { count: 999, now: NOW, overSince: minutesAgo(60) }),
  ]
  expect(first.condition).toEqual({
    type: 'Firing',
    status: 'True',
    reason: 'LimitExceeded',
    message: 'More than 10 resources match, for 5 minutes or longer',
  })
  expect(later.condition).toEqual(first.condition)
})

test('an alert without a time fires with the first evaluation', () => {
  const rule = { moreThan: 0, forMinutes: 0 }
  expect(decideAlert(rule, { count: 1, now: NOW, overSince: null }).condition).toMatchObject({
    status: 'True',
    message: 'More than 0 resources match',
  })
})

test('the rule is read from the spec', () => {
  expect(alertRuleOf({ kind: 'Cluster' })).toBeNull()
  expect(alertRuleOf({ alert: { more_than: 3, for_minutes: 2 } })).toEqual({
    moreThan: 3,
    forMinutes: 2,
  })
})
