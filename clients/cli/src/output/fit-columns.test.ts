import { expect, test } from 'vitest'
import { fitColumns } from './fit-columns.ts'

const NAME = { header: 'NAME', shrinksTo: 12 }
const AGE = { header: 'AGE' }
const REASON = { header: 'REASON', rank: 1, shrinksTo: 12 }
const COLUMNS = [NAME, REASON, AGE]
const NATURAL = [40, 30, 3]

function fit(width: number) {
  const fitted = fitColumns(COLUMNS, NATURAL, { width, gap: 3 })
  return fitted.map(({ index, width: size }) => [COLUMNS[index]?.header, size])
}

test('all columns keep their widths if they fit', () => {
  expect(fit(79)).toEqual([
    ['NAME', 40],
    ['REASON', 30],
    ['AGE', 3],
  ])
})

test('other texts are shortened before names', () => {
  expect(fit(65)).toEqual([
    ['NAME', 40],
    ['REASON', 16],
    ['AGE', 3],
  ])
})

test('other columns are omitted before names are shortened', () => {
  expect(fit(50)).toEqual([
    ['NAME', 40],
    ['AGE', 3],
  ])
})

test('names are shortened if nothing else can be', () => {
  expect(fit(20)).toEqual([
    ['NAME', 14],
    ['AGE', 3],
  ])
})
