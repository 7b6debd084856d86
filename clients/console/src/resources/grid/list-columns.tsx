import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { KindDescription } from '../../../../typescript/src/generated/hyperfleet.ts'
import { TimeAgo } from '../../design/time-ago.tsx'
import type { ListedResource } from '../listed-resource.ts'
import { resourceState } from '../resource-state.ts'
import { StateBadge } from '../state-badge.tsx'
import css from './list-columns.module.css'

/** A column of a list. */
export interface ListColumn {
  readonly id: string
  readonly label: string
  /** The width as a track of a CSS grid. */
  readonly width: string
  /** The field by which the server sorts; absent if it cannot. */
  readonly sort?: string
  readonly isShownByDefault: boolean
  readonly cell: (resource: ListedResource) => ReactNode
}

/** The columns of the lists of a kind. */
export function listColumns(
  kind: Pick<KindDescription, 'plural' | 'parent_kind' | 'required_adapters'>,
): readonly ListColumn[] {
  const { plural, parent_kind: parentKind } = kind
  const columns: readonly ListColumn[] = [
    {
      id: 'name',
      label: 'Name',
      width: 'auto',
      sort: 'name',
      isShownByDefault: true,
      cell: ({ id, name }) => (
        <Link
          to="/resources/$plural/$id"
          params={{ plural, id }}
          className={css['name'] ?? ''}
          tabIndex={-1}
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      label: 'State',
      width: '116px',
      isShownByDefault: true,
      cell: (resource) => <StateBadge resource={resource} kind={kind} />,
    },
    {
      id: 'reason',
      label: 'Reason',
      width: 'minmax(120px, 2.4fr)',
      isShownByDefault: true,
      cell: (resource) => <Muted text={resourceState(resource, kind).reason} />,
    },
    {
      id: 'labels',
      label: 'Labels',
      width: 'minmax(100px, 2fr)',
      isShownByDefault: true,
      cell: ({ labels }) => <Labels labels={labels} />,
    },
    ...(parentKind === null ? [] : [parentColumn(parentKind)]),
    {
      id: 'generation',
      label: 'Gen',
      width: '60px',
      sort: 'generation',
      isShownByDefault: true,
      cell: ({ generation }) => <span className={css['number']}>{generation}</span>,
    },
    timeColumn({ id: 'updated', label: 'Updated', field: 'updated_time' }),
    { ...timeColumn({ id: 'age', label: 'Age', field: 'created_time' }), isShownByDefault: true },
    {
      id: 'created_by',
      label: 'Created by',
      width: 'minmax(110px, 1fr)',
      sort: 'created_by',
      isShownByDefault: false,
      cell: ({ created_by: by }) => <Muted text={by} />,
    },
    {
      id: 'id',
      label: 'ID',
      width: '250px',
      sort: 'id',
      isShownByDefault: false,
      cell: ({ id }) => <code>{id}</code>,
    },
  ]
  return columns
}

function parentColumn(kind: string): ListColumn {
  return {
    id: 'parent',
    label: kind,
    width: '120px',
    isShownByDefault: true,
    cell: ({ owner_references: owner }) => <Muted text={owner?.id ?? ''} />,
  }
}

interface TimeColumn {
  readonly id: string
  readonly label: string
  readonly field: 'created_time' | 'updated_time'
}

function timeColumn({ id, label, field }: TimeColumn): ListColumn {
  return {
    id,
    label,
    width: '84px',
    sort: field,
    isShownByDefault: false,
    cell: (resource) => (
      <span className={css['number']}>
        <TimeAgo time={resource[field]} />
      </span>
    ),
  }
}

function Muted({ text }: { readonly text: string }) {
  return (
    <span className={css['muted']} title={text}>
      {text}
    </span>
  )
}

function Labels({ labels }: Pick<ListedResource, 'labels'>) {
  const pairs = Object.entries(labels)
  const title = pairs.map(([key, value]) => `${key}=${value}`).join('\n')
  return (
    <span className={css['labels']} title={title}>
      {pairs.map(([key, value]) => (
        <span key={key} className={css['label']}>
          <span className={css['key']}>{key}</span>
          {value}
        </span>
      ))}
    </span>
  )
}
