import { expect, it } from 'vitest'
import { readGroupedValues, writeGroupedValues } from './grouped-values.ts'
import { readSettings } from './read-settings.ts'
import { formerWarnings } from './former-settings.ts'
import { commaList, integer } from './setting.ts'

const ROWS = {
  limit: integer({
    env: 'WATCHES',
    member: 'limit',
    former: 'WATCH_LIMIT',
    min: 1,
    default: 5,
    doc: '',
  }),
  hosts: commaList({ env: 'WATCHES', member: 'allowed-hosts', default: [], doc: '' }),
}

it('reads values that contain commas and equals signs', () => {
  const text = 'hosts=a,b=,c, drivers=[{"name":"x","at":"y"}]'
  expect([...readGroupedValues(text, ['hosts', 'b', 'drivers'])]).toEqual([
    ['hosts', 'a'],
    ['b', ',c'],
    ['drivers', '[{"name":"x","at":"y"}]'],
  ])
})

it('reads a value in double quotes as it is', () => {
  expect([...readGroupedValues(String.raw`dir="/a,b=\"c\\", b="x`, ['dir', 'b'])]).toEqual([
    ['dir', '/a,b="c\\'],
    ['b', '"x'],
  ])
})

it.each(['/data', '/data, b=1', '"/data"', ' /data ', String.raw`C:\d,b="x"`, '[{"name":"x"}]'])(
  'writes %j so that it reads the same value',
  (dir) => {
    const text = writeGroupedValues({ dir, b: '' })
    expect([...readGroupedValues(text, ['dir', 'b'])]).toEqual([['dir', dir]])
  },
)

it.each([
  ['40', 'expected name=value with the names limit, hosts'],
  ['limits=4', "unknown name 'limits': expected limit, hosts"],
  ['limit=4,limit=5', "the name 'limit' appears twice"],
])('rejects %s', (text, message) => {
  expect(() => readGroupedValues(text, ['limit', 'hosts'])).toThrow(message)
})

it('prefers the new variable to the former one, which still has effect', () => {
  const valuesOf = (env: NodeJS.ProcessEnv) => readSettings(ROWS, env).values
  expect(valuesOf({})).toEqual({ limit: 5, hosts: [] })
  expect(valuesOf({ WATCH_LIMIT: '7' })).toEqual({ limit: 7, hosts: [] })
  const both = { WATCH_LIMIT: '7', WATCHES: 'allowed-hosts=a,b,limit=8' }
  expect(valuesOf(both)).toEqual({ limit: 8, hosts: ['a', 'b'] })
})

it('names the variable and the value in problems, once', () => {
  const problemsOf = (env: NodeJS.ProcessEnv) => readSettings(ROWS, env).problems
  expect(problemsOf({ WATCHES: 'size=3' })).toEqual([
    "WATCHES: unknown name 'size': expected limit, allowed-hosts",
  ])
  expect(problemsOf({ WATCHES: 'limit=x' })).toEqual([
    "WATCHES: limit: expected an integer from 1, found 'x'",
  ])
  expect(problemsOf({ WATCH_LIMIT: 'x' })).toEqual([
    "WATCH_LIMIT: expected an integer from 1, found 'x'",
  ])
})

it('warns of a former variable with the new form', () => {
  expect(formerWarnings(Object.values(ROWS), { WATCH_LIMIT: '7', WATCHES: '' })).toEqual([
    'WATCH_LIMIT is retired, and the next version ignores it: set limit=... in WATCHES',
  ])
})
