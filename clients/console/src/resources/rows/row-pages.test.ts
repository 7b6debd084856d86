import { describe, expect, it } from 'vitest'
import { RowPages } from './row-pages.ts'

interface Item {
  readonly id: string
  readonly value?: number
}

function pageOf(ids: readonly string[], total: number) {
  return {
    items: ids.map((id) => ({ id })),
    total,
    isEstimate: false,
    resourceVersion: '1',
    next: `after ${ids.at(-1)}`,
  }
}

function twoPages(): RowPages<Item> {
  const rows = new RowPages<Item>(2, 3)
  rows.store(0, pageOf(['a', 'b'], 100))
  rows.store(1, pageOf(['c', 'd'], 100))
  return rows
}

describe('the loaded pages of a list', () => {
  it('finds rows by position', () => {
    const rows = twoPages()
    expect(rows.row(3)?.item.id).toBe('d')
    expect(rows.row(4)).toBeUndefined()
    expect(rows.total).toBe(100)
  })

  it('knows the cursor of the page after a loaded one', () => {
    const rows = twoPages()
    expect([0, 1, 2, 3].map((page) => rows.cursorOf(page))).toEqual([
      null,
      'after b',
      'after d',
      null,
    ])
    rows.keepOnly([1])
    expect([1, 2].map((page) => rows.cursorOf(page))).toEqual([null, 'after d'])
  })

  it('keeps a limited number of pages, those that were used last', () => {
    const rows = twoPages()
    rows.store(2, pageOf(['e', 'f'], 100))
    rows.use([0])
    rows.store(3, pageOf(['g', 'h'], 100))
    expect([0, 1, 2, 3].map((page) => rows.has(page))).toEqual([true, false, true, true])
  })

  it('replaces a changed row in its place and marks it', () => {
    const rows = twoPages()
    const isMoved = rows.apply([{ type: 'MODIFIED', object: { id: 'b', value: 2 } }])
    expect(rows.row(1)).toEqual({ item: { id: 'b', value: 2 }, isGone: false, changed: 1 })
    expect(isMoved).toBe(false)
  })

  it('ignores changes of resources on other pages', () => {
    const rows = twoPages()
    expect(rows.apply([{ type: 'MODIFIED', object: { id: 'z' } }])).toBe(false)
    expect(rows.total).toBe(100)
  })

  it('keeps a removed row in its place until the list is read again', () => {
    const rows = twoPages()
    expect(rows.apply([{ type: 'DELETED', object: { id: 'a' } }])).toBe(true)
    expect(rows.row(0)?.isGone).toBe(true)
    expect(rows.row(1)?.item.id).toBe('b')
    expect(rows.total).toBe(99)
  })

  it('counts a row once that is removed and matches again', () => {
    const rows = twoPages()
    rows.apply([{ type: 'DELETED', object: { id: 'a' } }])
    rows.apply([{ type: 'DELETED', object: { id: 'a' } }])
    rows.apply([{ type: 'ADDED', object: { id: 'a' } }])
    expect(rows.total).toBe(100)
    expect(rows.row(0)?.isGone).toBe(false)
  })

  it('counts added resources once, until the list is read again', () => {
    const rows = twoPages()
    rows.apply([{ type: 'ADDED', object: { id: 'new' } }])
    rows.apply([{ type: 'ADDED', object: { id: 'new' } }])
    expect([rows.unseen, rows.total]).toEqual([1, 101])
    rows.store(0, pageOf(['new', 'a'], 101))
    rows.keepOnly([0])
    expect([rows.unseen, rows.total]).toEqual([0, 101])
  })

  it('finds a resource on the page that was stored last if it has moved', () => {
    const rows = twoPages()
    rows.store(1, pageOf(['b', 'c'], 100))
    rows.store(0, pageOf(['x', 'a'], 100))
    rows.apply([{ type: 'MODIFIED', object: { id: 'b', value: 7 } }])
    expect(rows.row(2)?.item).toEqual({ id: 'b', value: 7 })
  })
})
