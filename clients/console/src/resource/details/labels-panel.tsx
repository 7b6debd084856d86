import { useState } from 'react'
import { useResourceAccess } from '../../access/use-access.ts'
import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { Panel } from '../../design/panel.tsx'
import { LabelsDialog } from '../../edit/labels/labels-dialog.tsx'
import type { KindResource } from '../data/kind-resource.ts'
import css from './details.module.css'

interface LabelsPanelProps {
  readonly plural: string
  readonly resource: KindResource
  readonly isReadOnly: boolean
}

/** The labels of a resource. */
export function LabelsPanel({ plural, resource, isReadOnly }: LabelsPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const denied = useResourceAccess('patch', plural, [resource.id, resource.name])
  const labels = Object.entries(resource.labels)
  return (
    <Panel
      title="Labels"
      actions={
        !isReadOnly && (
          <Button size="small" variant="ghost" denied={denied} onClick={() => setOpen(true)}>
            <Icon name="edit" size={14} />
            Edit labels
          </Button>
        )
      }
    >
      {labels.length === 0 ? (
        <p className={css['empty']}>No labels. Labels select resources in searches and fleets.</p>
      ) : (
        <ul className={css['labels']}>
          {labels.map(([key, value]) => (
            <li key={key} className={css['label']}>
              <span>{key}</span>
              <strong>{value}</strong>
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <LabelsDialog plural={plural} resource={resource} onClose={() => setOpen(false)} />
      )}
    </Panel>
  )
}
