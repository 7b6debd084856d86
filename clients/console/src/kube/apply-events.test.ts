import { expect, it } from 'vitest'
import { applyEvents } from './apply-events.ts'

interface Item {
  readonly name: string
  readonly version: string
}

const rules = {
  keyOf: ({ name }: Item) => name,
  versionOf: ({ version }: Item) => version,
  isComplete: true,
}
const item = (name: string, version = '1'): Item => ({ name, version })
const event = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Item) => ({
  type,
  object,
  resourceVersion: object.version,
})
const namesOf = (items: readonly Item[]) => items.map(({ name }) => name)

it('replaces, removes and inserts items in the order of the list', () => {
  const items = applyEvents(
    [item('a'), item('c'), item('d')],
    [
      event('MODIFIED', item('c', '2')),
      event('DELETED', item('d', '3')),
      event('ADDED', item('b')),
    ],
    rules,
  )
  expect(items).toEqual([item('a'), item('b'), item('c', '2')])
})

it('leaves items after the loaded pages to the next page', () => {
  const events = [event('ADDED', item('b')), event('ADDED', item('z'))]
  const items = applyEvents([item('a'), item('c')], events, { ...rules, isComplete: false })
  expect(namesOf(items)).toEqual(['a', 'b', 'c'])
})

it('ignores events that are older than the item, also if their numbers have fewer digits', () => {
  const items = applyEvents(
    [item('a', '10')],
    [event('MODIFIED', item('a', '9')), event('DELETED', item('a', '9'))],
    rules,
  )
  expect(items).toEqual([item('a', '10')])
})

it('adds an item again after its deletion', () => {
  const events = [event('DELETED', item('a', '2')), event('ADDED', item('a', '3'))]
  expect(applyEvents([item('a')], events, rules)).toEqual([item('a', '3')])
})
