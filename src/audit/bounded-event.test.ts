import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { gapOf } from './audit-event.ts'
import { boundedEvent } from './bounded-event.ts'

const EMPTY = gapOf(0, { time: new Date(0), id: 'a' })
/** A tuple of an index has at most 2704 bytes, with a time beside the text. */
const INDEXABLE_BYTES = 2600

test.each([
  ['ASCII', 'x'],
  ['three bytes', '\u4e2d'],
  ['four bytes', '\u{1F600}'],
  ['U+0000', '\0'],
  ['half a pair', '\uD800'],
])('the texts of an event are so short that they can be indexed: %s', (_name, character) => {
  const text = character.repeat(100_000)
  const event = boundedEvent({
    ...EMPTY,
    user: text,
    tenant: text,
    resourceId: text,
    groups: [text],
  })
  const [group = ''] = event.groups
  for (const cut of [event.user, event.tenant, event.resourceId, group]) {
    expect(Buffer.byteLength(cut)).toBeLessThan(INDEXABLE_BYTES)
    expect(Buffer.byteLength(cut)).toBeGreaterThan(2000)
    expect(cut).not.toMatch(/\0|\p{Surrogate}/u)
  }
})

test('the size of an event includes its texts and bodies', () => {
  const { bytes: empty } = boundedEvent(EMPTY)
  const { bytes } = boundedEvent({
    ...EMPTY,
    path: '/a',
    userAgent: 'b'.repeat(5000),
    groups: ['cc'],
    request: '{"a":1}',
    response: '[]',
  })
  expect(bytes - empty).toBe(2 + 2048 + 2 + 7 + 2)
})

/** Long strings can be outside of the heap. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('an event does not keep the text of a whole request in memory', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  collectGarbage()
  const before = memory()
  const megabyte = 1_048_576
  const events = Array.from({ length: 200 }, (_, index) => {
    const target = Buffer.alloc(megabyte, `/${index}`).toString('latin1')
    return boundedEvent({ ...EMPTY, path: target.slice(0, 100), detail: target.slice(50) })
  })
  collectGarbage()
  const retained = memory() - before
  expect(events).toHaveLength(200)
  expect(retained).toBeLessThan(100 * megabyte)
})
