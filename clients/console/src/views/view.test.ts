import { expect, test } from 'vitest'
import { firingSince, listSearchOf, specOf } from './view.ts'

const SEARCH = { q: "labels.region='north'", sort: 'name asc', columns: 'name,age' }

test('a view saves the list and opens it again', () => {
  const spec = specOf('Cluster', { ...SEARCH, view: 'another' }, null)
  expect(spec).toEqual({
    kind: 'Cluster',
    search: "labels.region='north'",
    order: 'name asc',
    columns: ['name', 'age'],
  })
  expect(listSearchOf({ name: 'north', spec })).toEqual({ ...SEARCH, view: 'north' })
})

test('a list with its defaults has a spec without them', () => {
  const spec = specOf('Cluster', {}, { more_than: 3 })
  expect(spec).toEqual({ kind: 'Cluster', alert: { more_than: 3 } })
  expect(listSearchOf({ name: 'all', spec })).toEqual({ view: 'all' })
})

test('an alert fires since the transition of its condition', () => {
  const condition = {
    type: 'Firing',
    observed_generation: 1,
    created_time: '',
    last_updated_time: '',
  }
  const of = (status: 'True' | 'False') => ({
    status: { conditions: [{ ...condition, status, last_transition_time: 'then' }] },
  })
  expect([firingSince(of('True')), firingSince(of('False'))]).toEqual(['then', null])
  expect(firingSince({ status: { conditions: [] } })).toBeNull()
})
