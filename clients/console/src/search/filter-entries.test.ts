import { expect, it } from 'vitest'
import { filterEntries } from './filter-entries.ts'

const entry = (label: string, group = 'Pages') => ({
  id: label,
  group,
  label,
  icon: 'dot' as const,
  target: '/',
})
const ENTRIES = [entry('Create a cluster', 'Actions'), entry('Clusters'), entry('Node pools')]
const found = (text: string) => filterEntries(ENTRIES, text).map(({ label }) => label)

it('shows everything without a text', () => {
  expect(found(' ')).toHaveLength(3)
})

it('finds all words in any order, entries that begin with the text first', () => {
  expect(found('clust')).toEqual(['Clusters', 'Create a cluster'])
  expect(found('cluster create')).toEqual(['Create a cluster'])
  expect(found('actions')).toEqual(['Create a cluster'])
  expect(found('nothing')).toEqual([])
})
