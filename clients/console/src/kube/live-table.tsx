import type { ReactNode } from 'react'
import { ErrorState } from '../design/states/error-state.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { type Column, Table } from '../design/table/table.tsx'
import type { KubeObject } from './kube-object.ts'
import { LoadMore } from './load-more.tsx'
import { OBJECT_RULES } from './object-rules.ts'
import type { useLiveList } from './use-live-list.ts'

interface LiveTableProps<T> {
  /** Names the table for screen readers. */
  readonly label: string
  readonly list: ReturnType<typeof useLiveList<T>>
  readonly columns: readonly Column<T>[]
  /** The loaded items that the user wants to see; all without it. */
  readonly rows?: readonly T[]
  readonly onOpen: (row: T) => void
  /** Shown if the list has no items. */
  readonly children: ReactNode
}

/** A live list of objects as a table, while it loads, if it fails, and if it is empty. */
export function LiveTable<T extends Pick<KubeObject, 'metadata'>>(props: LiveTableProps<T>) {
  const { label, list, columns, rows = list.items, onOpen, children } = props
  return (
    <>
      {list.isPending && <Skeleton />}
      {list.error !== null && <ErrorState error={list.error} onRetry={list.retry} />}
      {list.isComplete && list.items.length === 0 && children}
      {rows.length > 0 && (
        <Table
          label={label}
          columns={columns}
          rows={rows}
          keyOf={OBJECT_RULES.keyOf}
          onOpen={onOpen}
          isFlush
        />
      )}
      <LoadMore list={list} />
    </>
  )
}
