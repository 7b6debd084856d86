import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyButton } from '../../design/copy-button.tsx'
import { Panel } from '../../design/panel.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import type { KindResource } from '../data/kind-resource.ts'
import css from './details.module.css'

interface DetailsPanelProps {
  readonly resource: KindResource
  /** The plural of the parent's kind, for the link to it. */
  readonly parentPlural: string | undefined
}

/** The identity of a resource and who changed it. */
export function DetailsPanel({ resource, parentPlural }: DetailsPanelProps) {
  const { id, generation, owner_references: owner, deleted_time: deleted } = resource
  return (
    <Panel title="Details">
      <dl className={css['list']}>
        <Row label="ID">
          <span className={css['id']}>
            <code>{id}</code>
            <CopyButton text={id} label="Copy the ID" />
          </span>
        </Row>
        {owner !== undefined && parentPlural !== undefined && (
          <Row label={owner.kind}>
            <Link
              className={css['link'] ?? ''}
              to="/resources/$plural/$id"
              params={{ plural: parentPlural, id: owner.id }}
            >
              {owner.id}
            </Link>
          </Row>
        )}
        <Row label="Generation">{generation}</Row>
        <Row label="Created">
          <TimeAgo time={resource.created_time} suffix=" ago" /> by {resource.created_by}
        </Row>
        <Row label="Updated">
          <TimeAgo time={resource.updated_time} suffix=" ago" /> by {resource.updated_by}
        </Row>
        {deleted !== undefined && (
          <Row label="Deletion">
            requested <TimeAgo time={deleted} suffix=" ago" /> by {resource.deleted_by}
          </Row>
        )}
        {Object.entries(resource.annotations ?? {}).map(([key, value]) => (
          <Row key={key} label={key}>
            {value}
          </Row>
        ))}
      </dl>
    </Panel>
  )
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={css['row']}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
