import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isObject } from '../../../../typescript/src/http/json.ts'
import { Denied } from '../../access/denied.tsx'
import { useAccess } from '../../access/use-access.ts'
import { Button } from '../../design/button.tsx'
import { ErrorState } from '../../design/states/error-state.tsx'
import { notify } from '../../design/overlays/notify.ts'
import { Page } from '../../design/page.tsx'
import { Skeleton } from '../../design/states/skeleton.tsx'
import { useDraft } from '../../edit/drafts/use-draft.ts'
import { parseYaml } from '../../edit/yaml/parse-yaml.ts'
import { YamlEditor } from '../../edit/yaml-editor.tsx'
import { discoveryQuery } from '../../kube/discovery-query.ts'
import type { PlaneKind } from '../../kube/plane-kind.ts'
import { RequestError } from '../../design/states/request-error.tsx'
import css from './object-page.module.css'
import { createObject } from './object-requests.ts'
import { objectParams, readKindParams } from '../plane-address.ts'
import { usePlaneLabel } from '../plane-label.ts'
import { templateOf } from './template-of.ts'
import { useValidation } from './use-validation.ts'

const ROUTE = '/planes/$plane/$group/$version/$plural/new'

/** Creates an object of any kind from YAML. */
export function NewObjectPage() {
  const params = useParams({ from: ROUTE })
  const { namespace = 'default' } = useSearch({ from: ROUTE })
  const { plane } = params
  const kinds = useQuery(discoveryQuery(plane))
  const address = readKindParams(params)
  const kind = kinds.data?.find(
    ({ group, plural }) => group === address.group && plural === address.plural,
  )
  const access = useAccess(plane, namespace)
  const denied = access({ verb: 'create', group: address.group, resource: address.plural })
  const planeTo = `/planes/${encodeURIComponent(plane)}`
  const planeLabel = usePlaneLabel(plane)
  const trail = [
    { label: planeLabel.title, to: planeTo },
    {
      label: kind?.kind ?? params.plural,
      to: [planeTo, params.group, params.version, params.plural].join('/'),
    },
  ]
  return (
    <Page title={`New ${kind?.kind ?? params.plural}`} trail={trail}>
      {kinds.isPending && <Skeleton />}
      {kinds.isError && <ErrorState error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {denied !== null && <Denied reason={denied} />}
      {kind !== undefined && denied === null && (
        <NewObject key={kind.plural} plane={plane} kind={kind} namespace={namespace} />
      )}
    </Page>
  )
}

interface NewObjectProps {
  readonly plane: string
  readonly kind: PlaneKind
  readonly namespace: string
}

function NewObject({ plane, kind, namespace: initial }: NewObjectProps) {
  const navigate = useNavigate()
  const key = ['new', plane, kind.group, kind.plural].join('/')
  const start = () => ({ text: templateOf(kind, initial), tag: '', base: {}, savedAt: 0 })
  const { draft, change, forget } = useDraft(key, start)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const { value } = parseYaml(draft.text)
  const namespace = kind.isNamespaced ? namespaceOf(value, initial) : ''
  const target = { plane, kind, namespace }
  const problems = useValidation(draft.savedAt === 0 ? null : draft.text, (edited, signal) =>
    createObject({ ...target, namespace }, edited, { isDryRun: true, signal }),
  )
  const create = async () => {
    if (value === null || isBusy) return
    setBusy(true)
    setError(null)
    try {
      const { metadata } = await createObject(target, value)
      forget()
      notify({ tone: 'good', title: `Created ${metadata.name}` })
      void navigate({
        to: '/planes/$plane/$group/$version/$plural/$namespace/$name',
        params: objectParams(plane, kind, metadata),
      })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={css['page']}>
      <YamlEditor
        label={`YAML of the new ${kind.kind}`}
        value={draft.text}
        onChange={(text) => change({ text })}
        onSave={() => void create()}
        problems={problems}
      />
      <RequestError error={error} />
      <div className={css['buttons']}>
        <Button variant="primary" disabled={value === null || isBusy} onClick={() => void create()}>
          {isBusy ? 'Creating…' : 'Create'}
        </Button>
      </div>
    </div>
  )
}

/** The namespace in the text, so that the path of the request agrees with it. */
function namespaceOf(value: unknown, initial: string): string {
  const metadata = isObject(value) ? value['metadata'] : null
  const namespace = isObject(metadata) ? metadata['namespace'] : null
  return typeof namespace === 'string' && namespace !== '' ? namespace : initial
}
