import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccess } from '../../access/use-access.ts'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { buttonClass } from '../../design/button-class.ts'
import { EmptyState } from '../../design/states/empty-state.tsx'
import { ErrorState } from '../../design/states/error-state.tsx'
import { Page } from '../../design/page.tsx'
import { Skeleton } from '../../design/states/skeleton.tsx'
import { discoveryQuery } from '../../kube/discovery-query.ts'
import type { KubeObject } from '../../kube/kube-object.ts'
import { DeleteObjectDialog } from './delete-object-dialog.tsx'
import { ObjectEditor, type ObjectEditorProps } from './object-editor.tsx'
import { ObjectFacts } from './object-facts.tsx'
import { ObjectTimeline } from './object-timeline.tsx'
import { ownPage } from '../own-page.ts'
import css from './object-page.module.css'
import { kindParams, readKindParams, readNamespace } from '../plane-address.ts'
import { usePlaneLabel } from '../plane-label.ts'
import { isSecret } from './secret-text.ts'
import { SecretValues } from './secret-values.tsx'
import { usePlaneObject } from './use-plane-object.ts'

const ROUTE = '/planes/$plane/$group/$version/$plural/$namespace/$name'

/** One object of a plane: its facts, its YAML, and what a user can do with it. */
export function ObjectPage() {
  const params = useParams({ from: ROUTE })
  const { plane, name } = params
  const navigate = useNavigate()
  const kind = readKindParams(params)
  const namespace = readNamespace(params.namespace)
  const kinds = useQuery(discoveryQuery(plane))
  const described = kinds.data?.find(
    ({ group, plural }) => group === kind.group && plural === kind.plural,
  )
  const live = usePlaneObject<KubeObject>({ plane, kind, namespace, name })
  const { object } = live
  const [isDeleting, setDeleting] = useState(false)
  const label = described?.kind ?? kind.plural
  const address = kindParams(plane, kind)
  const planeTo = `/planes/${encodeURIComponent(plane)}`
  const planeLabel = usePlaneLabel(plane)
  const trail = [
    { label: planeLabel.title, to: planeTo },
    { label, to: [planeTo, address.group, address.version, address.plural].join('/') },
  ]
  const toList = () =>
    void navigate({ to: '/planes/$plane/$group/$version/$plural', params: address })
  const own = ownPage({ plane, group: kind.group, plural: kind.plural, namespace, name })
  const access = useAccess(plane, namespace === '' ? undefined : namespace)
  const denied = (verb: string) =>
    access({ verb, group: kind.group, resource: kind.plural, names: [name] })
  const isGone = live.isComplete && object === null
  return (
    <Page
      title={name}
      trail={trail}
      status={
        object?.metadata.deletionTimestamp !== undefined && <Badge tone="warn">Deleting</Badge>
      }
      actions={
        <ObjectActions
          own={own}
          offersDelete={described?.verbs.includes('delete') !== false && !isGone}
          isReady={described !== undefined && object !== null}
          denied={denied('delete')}
          onDelete={() => setDeleting(true)}
        />
      }
    >
      <div className={css['page']}>
        {live.isPending && <Skeleton />}
        {live.error !== null && <ErrorState error={live.error} onRetry={live.retry} />}
        {isGone && (
          <EmptyState icon="plane" title={`There is no ${label} ${name}`}>
            It may have been deleted. Unsaved edits are kept in this tab if it returns.
          </EmptyState>
        )}
        {object !== null && (
          <ObjectContent
            key={object.metadata.uid}
            plane={plane}
            kind={kind}
            object={object}
            isReadOnly={described?.verbs.includes('update') !== true}
            denied={denied('update')}
          />
        )}
        {object !== null && (
          <DeleteObjectDialog
            plane={plane}
            kind={kind}
            object={object}
            isOpen={isDeleting}
            onClose={() => setDeleting(false)}
            onDeleted={toList}
          />
        )}
        {live.isComplete && described !== undefined && (
          <ObjectTimeline
            target={{ plane, kind, namespace, name }}
            kind={described.kind}
            object={object}
          />
        )}
      </div>
    </Page>
  )
}

interface ObjectActionsProps {
  /** The address of the page of this kind of object; null if it has none. */
  readonly own: ReturnType<typeof ownPage>
  readonly offersDelete: boolean
  /** Whether the object and its kind are known. */
  readonly isReady: boolean
  /** Why the caller may not delete the object. */
  readonly denied: string | null
  readonly onDelete: () => void
}

/** Delete is shown before it can be used: it would push the link away under the pointer. */
function ObjectActions({ own, offersDelete, isReady, denied, onDelete }: ObjectActionsProps) {
  return (
    <>
      {own !== null && (
        <Link to={own} className={buttonClass()}>
          Open its page
        </Link>
      )}
      {offersDelete && (
        <Button variant="danger" disabled={!isReady} denied={denied} onClick={onDelete}>
          Delete
        </Button>
      )}
    </>
  )
}

/** The facts and the text of an object. The values of a Secret are masked at first. */
function ObjectContent(props: ObjectEditorProps) {
  const { kind, object } = props
  const [isOpen, setOpen] = useState(false)
  const isMasked = isSecret(kind) && !isOpen
  return (
    <>
      <ObjectFacts object={object} />
      <ObjectEditor
        {...props}
        {...(isMasked && {
          cover: <SecretValues object={object} onEdit={() => setOpen(true)} />,
        })}
      />
    </>
  )
}
