import { expect, test } from 'vitest'
import { chunksOf } from './chunks-of.ts'

test.each<[sizes: number[], chunks: number[][]]>([
  [[], []],
  [
    [4, 6, 1],
    [[4, 6], [1]],
  ],
  [
    [1, 20, 1],
    [[1], [20], [1]],
  ],
  [
    [20, 10, 5, 5],
    [[20], [10], [5, 5]],
  ],
])('of %j at most 10 go together: %j', (sizes, chunks) => {
  expect(chunksOf(sizes, (size) => size, 10)).toEqual(chunks)
})
