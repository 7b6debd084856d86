import { AllowedLink } from '../../access/allowed-link.tsx'
import { useAccess } from '../../access/use-access.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { buttonClass } from '../../design/button-class.ts'
import { EmptyState } from '../../design/states/empty-state.tsx'
import { ErrorState } from '../../design/states/error-state.tsx'
import { Icon } from '../../design/icon.tsx'
import { Page } from '../../design/page.tsx'
import { Skeleton } from '../../design/states/skeleton.tsx'
import { discoveryQuery } from '../../kube/discovery-query.ts'
import { LiveTable } from '../../kube/live-table.tsx'
import { listPath } from '../../kube/object-path.ts'
import { OBJECT_RULES } from '../../kube/object-rules.ts'
import { type PlaneKind, resourceOf } from '../../kube/plane-kind.ts'
import { readColumns, readRows, TABLE_TYPE } from '../../kube/read-table.ts'
import { useLiveList } from '../../kube/use-live-list.ts'
import { KindList } from '../kind-list.tsx'
import { ObjectFilters } from './object-filters.tsx'
import css from './objects-page.module.css'
import type { ObjectsSearch } from './objects-search.ts'
import { kindParams, objectParams, readKindParams } from '../plane-address.ts'
import { usePlaneLabel } from '../plane-label.ts'
import { tableColumns } from './table-columns.tsx'

/** The objects of one kind in a plane, with the columns that the server defines. */
export function ObjectsPage() {
  const params = useParams({ from: '/planes/$plane/$group/$version/$plural' })
  const { plane, group, version, plural } = params
  const search = useSearch({ from: '/planes/$plane/$group/$version/$plural' })
  const kinds = useQuery(discoveryQuery(plane))
  const address = readKindParams({ group, version, plural })
  const kind = kinds.data?.find(
    (one) => one.plural === address.plural && one.group === address.group,
  )
  const planeLabel = usePlaneLabel(plane)
  const trail = [
    { label: 'Planes', to: '/planes' },
    { label: planeLabel.title, to: `/planes/${encodeURIComponent(plane)}` },
  ]
  const access = useAccess(plane, search.namespace)
  const denied = access({ verb: 'create', group: address.group, resource: address.plural })
  const look = { variant: 'primary' } as const
  const label = (
    <>
      <Icon name="plus" size={14} />
      Create
    </>
  )
  const canCreate = kind?.verbs.includes('create') === true
  return (
    <Page
      title={kind?.kind ?? plural}
      trail={trail}
      flush
      actions={
        canCreate && (
          <AllowedLink denied={denied} look={look} label={label}>
            <Link
              to="/planes/$plane/$group/$version/$plural/new"
              params={kindParams(plane, kind)}
              search={search.namespace === undefined ? {} : { namespace: search.namespace }}
              className={buttonClass(look)}
            >
              {label}
            </Link>
          </AllowedLink>
        )
      }
    >
      <div className={css['frame']}>
        <div className={css['kinds']}>
          {kinds.data !== undefined && <KindList plane={plane} kinds={kinds.data} />}
        </div>
        <div className={css['objects']}>
          {kinds.isPending && <Skeleton />}
          {kinds.isError && <ErrorState error={kinds.error} onRetry={() => void kinds.refetch()} />}
          {kinds.data !== undefined && kind === undefined && (
            <EmptyState icon="plane" title={`This plane has no ${plural}`}>
              Its definition may have been deleted. Choose another kind.
            </EmptyState>
          )}
          {kind !== undefined && <Objects key={plural} plane={plane} kind={kind} search={search} />}
        </div>
      </div>
    </Page>
  )
}

interface ObjectsProps {
  readonly plane: string
  readonly kind: PlaneKind
  readonly search: ObjectsSearch
}

function Objects({ plane, kind, search }: ObjectsProps) {
  const { name: usedName } = usePlaneLabel(plane)
  const navigate = useNavigate()
  const { namespace = '', labels, name = '' } = search
  const path = listPath(kind, kind.isNamespaced ? namespace : '')
  const query = useMemo(() => ({ labelSelector: labels }), [labels])
  const list = useLiveList({
    ...OBJECT_RULES,
    plane,
    path,
    query,
    accept: TABLE_TYPE,
    readItems: readRows,
  })
  const head = JSON.stringify(list.head['columnDefinitions'] ?? [])
  const columns = useMemo(
    () => tableColumns(readColumns({ columnDefinitions: JSON.parse(head) }), kind.isNamespaced),
    [head, kind.isNamespaced],
  )
  const rows = list.items.filter(({ metadata }) => metadata.name.includes(name))
  const hasNoMatch = list.items.length > 0 && rows.length === 0
  return (
    <>
      <ObjectFilters plane={plane} kind={kind} search={search} />
      <LiveTable
        label={kind.kind}
        list={list}
        columns={columns}
        rows={rows}
        onOpen={({ metadata }) =>
          void navigate({
            to: '/planes/$plane/$group/$version/$plural/$namespace/$name',
            params: objectParams(plane, kind, metadata),
          })
        }
      >
        <EmptyState icon="plane" title={`No ${kind.plural}`} command={commandOf(usedName, kind)}>
          {labels === undefined && namespace === ''
            ? 'Objects appear here as soon as they are created.'
            : 'No object matches the namespace and the labels.'}
        </EmptyState>
      </LiveTable>
      {hasNoMatch && <p className={css['none']}>No loaded object has this in its name.</p>}
    </>
  )
}

function commandOf(plane: string, kind: PlaneKind): string {
  return `npx flotilla kubeconfig ${plane} --merge && kubectl get ${resourceOf(kind)} --watch`
}
