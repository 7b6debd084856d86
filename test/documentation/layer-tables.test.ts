import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { LAYERS } from '../../src/tools/layers/layers.ts'

const CONTRIBUTING = await foldersOf('.github/CONTRIBUTING.md')
const MAP = await foldersOf('src/README.md')

/** The folders in the first column of a page's table of folders. */
async function foldersOf(page: string): Promise<readonly string[]> {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8')
  const [, rows = ''] = /^\| Folder +\|.*\n\|[ -|]+\n((?:\|.*\n)+)/m.exec(text) ?? []
  return [...rows.matchAll(/^\| `([^`]+)\/`/gm)].map(([, folder = '']) => folder)
}

const isWithin = (folder: string, outer: string) =>
  folder === outer || folder.startsWith(`${outer}/`)

/** The rows that a folder of the layer rules belongs to, or that it contains. */
function rowsOf(folder: string, rows: readonly string[]): readonly string[] {
  const outer = rows.filter((row) => isWithin(folder, row))
  if (outer.length > 0) return outer.toSorted((a, b) => b.length - a.length).slice(0, 1)
  return rows.filter((row) => isWithin(row, folder))
}

describe.each([
  ['CONTRIBUTING', CONTRIBUTING],
  ['the map of the source', MAP],
])('the table of folders in %s', (_page, rows) => {
  test('has a row for every folder with a layer rule', () => {
    expect(Object.keys(LAYERS).filter((folder) => rowsOf(folder, rows).length === 0)).toEqual([])
  })

  test('has no row for a folder without a rule', () => {
    // Prisma writes the client, which has no rule.
    const known = ['generated', ...Object.keys(LAYERS)]
    const isKnown = (row: string) =>
      known.some((folder) => isWithin(folder, row) || isWithin(row, folder))
    expect(rows.filter((row) => !isKnown(row))).toEqual([])
    expect(rows).toEqual([...new Set(rows)])
  })
})

test('a layer imports only from its own row of CONTRIBUTING or rows below it', () => {
  const upward = Object.entries(LAYERS).flatMap(([folder, { imports, types = [] }]) => {
    const [from = ''] = rowsOf(folder, CONTRIBUTING)
    return [...imports, ...types]
      .flatMap((target) => rowsOf(target, CONTRIBUTING))
      .filter((row) => CONTRIBUTING.indexOf(row) < CONTRIBUTING.indexOf(from))
      .map((row) => `${folder} imports ${row}`)
  })
  expect([...new Set(upward)]).toEqual([])
})
