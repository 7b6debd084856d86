import { Panel } from '../../design/panel.tsx'
import { Skeleton } from '../../design/states/skeleton.tsx'
import type { KindResource } from '../data/kind-resource.ts'
import { AdapterCard } from './adapter-card.tsx'
import type { AdapterRow } from './adapter-row.ts'
import css from './adapters.module.css'

interface AdaptersPanelProps {
  readonly resource: KindResource
  /** Undefined while the reports are loading. */
  readonly rows: readonly AdapterRow[] | undefined
}

/** All adapters of a resource side by side. */
export function AdaptersPanel({ resource, rows }: AdaptersPanelProps) {
  return (
    <Panel title="Adapters" note={noteOf(rows)}>
      {rows === undefined ? (
        <Skeleton lines={4} />
      ) : rows.length === 0 ? (
        <p className={css['empty']}>
          No adapter reports on this resource, and its kind requires none.
        </p>
      ) : (
        <ul className={css['cards']}>
          {rows.map((row) => (
            <AdapterCard key={row.adapter} row={row} generation={resource.generation} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function noteOf(rows: readonly AdapterRow[] | undefined): string | undefined {
  const required = rows?.filter(({ isRequired }) => isRequired) ?? []
  if (required.length === 0) return undefined
  const met = required.filter(({ requirement }) => requirement.state === 'satisfied').length
  return `${met} of ${required.length} required are current`
}
