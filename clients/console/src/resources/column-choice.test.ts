import { expect, it } from 'vitest'
import { toggleColumn, visibleColumns } from './column-choice.ts'

const COLUMNS = [
  { id: 'name', isShownByDefault: true },
  { id: 'age', isShownByDefault: true },
  { id: 'id', isShownByDefault: false },
]

function ids(choice: string | undefined) {
  return visibleColumns(COLUMNS, choice).map(({ id }) => id)
}

it('shows the default columns without a choice, or with one that names no column', () => {
  expect(ids(undefined)).toEqual(['name', 'age'])
  expect(ids('nothing')).toEqual(['name', 'age'])
})

it('keeps the order of the columns', () => {
  expect(ids('id,name')).toEqual(['name', 'id'])
})

it('shows and hides a column', () => {
  expect(toggleColumn(COLUMNS, undefined, 'id')).toBe('name,age,id')
  expect(toggleColumn(COLUMNS, 'name,age,id', 'age')).toBe('name,id')
})

it('keeps the last column', () => {
  expect(toggleColumn(COLUMNS, 'name', 'name')).toBe('name')
})
