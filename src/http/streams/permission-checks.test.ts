import { expect, test } from 'vitest'
import { FlotillaError } from '../../lib/errors.ts'
import { recordPermission } from '../auth/permissions.ts'
import { PermissionChecks } from './permission-checks.ts'

interface Setting {
  readonly checks: PermissionChecks
  /** The calls and errors in their order. */
  readonly events: unknown[]
}

function setting(): Setting {
  const events: unknown[] = []
  const checks = new PermissionChecks({ onError: (error) => events.push(error) })
  return { checks, events }
}

/** A stream whose permission a function checks. */
function streamOf(
  { events }: Setting,
  name: string,
  check: () => void | Promise<void> = () => undefined,
) {
  const response = { locals: {} }
  recordPermission(response, () => {
    events.push(`check ${name}`)
    return check()
  })
  return { response, end: () => events.push(`end ${name}`) }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Passes enough turns of the event loop for all checks that can start. */
async function turns(): Promise<void> {
  for (let count = 0; count < 100; count += 1) await turn()
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const deny = (): never => {
  throw new FlotillaError('forbidden', 'revoked')
}

test('ends only the streams whose caller has lost a permission', async () => {
  const set = setting()
  for (const stream of [streamOf(set, 'a'), streamOf(set, 'b', deny)]) set.checks.add(stream)
  await turns()
  expect(set.events).toEqual(['check a', 'check b', 'end b'])
})

test('starts one check per turn of the event loop', async () => {
  const set = setting()
  for (const name of ['a', 'b', 'c']) set.checks.add(streamOf(set, name))
  expect(set.events).toEqual([])
  const counts: number[] = []
  for (let count = 0; count < 3; count += 1) {
    await turn()
    counts.push(set.events.length)
  }
  expect(counts).toEqual([1, 2, 3])
})

test('a check that hangs runs once, and does not delay those of other streams', async () => {
  const set = setting()
  const { promise, resolve } = deferred()
  const stream = streamOf(set, 'a', () => promise)
  set.checks.add(stream)
  await turns()
  set.checks.add(stream)
  set.checks.add(streamOf(set, 'b'))
  await turns()
  expect(set.events).toEqual(['check a', 'check b'])
  resolve()
  await turns()
  set.checks.add(stream)
  await turns()
  expect(set.events).toEqual(['check a', 'check b', 'check a'])
})

test('runs at most 8 checks together', async () => {
  const set = setting()
  const { promise, resolve } = deferred()
  for (let count = 0; count < 10; count += 1) set.checks.add(streamOf(set, 'a', () => promise))
  await turns()
  expect(set.events).toHaveLength(8)
  resolve()
  await turns()
  expect(set.events).toHaveLength(10)
})

test('reports unexpected errors, but no failures of a database, and ends no stream', async () => {
  const set = setting()
  const bug = new TypeError('a bug')
  const failing = (error: Error) => () => {
    throw error
  }
  set.checks.add(streamOf(set, 'a', failing(bug)))
  set.checks.add(streamOf(set, 'b', failing(new FlotillaError('timeout', 'late'))))
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  set.checks.add(streamOf(set, 'c', failing(refused)))
  await turns()
  expect(set.events).toEqual(['check a', bug, 'check b', 'check c'])
})
