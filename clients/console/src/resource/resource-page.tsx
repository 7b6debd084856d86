import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { NotFound } from '../../../typescript/src/index.ts'
import { kindIcon } from '../app/nav-items.ts'
import { kindsQuery } from '../data/kinds.ts'
import { ActionMenu } from '../design/overlays/action-menu.tsx'
import { Badge } from '../design/badge.tsx'
import { buttonClass } from '../design/button-class.ts'
import { ErrorState } from '../design/states/error-state.tsx'
import { Icon } from '../design/icon.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { DeleteDialog } from '../edit/delete/delete-dialog.tsx'
import { AdaptersPanel } from './adapters/adapters-panel.tsx'
import { AllowedLink } from '../access/allowed-link.tsx'
import { useResourceAccess } from '../access/use-access.ts'
import { useReadiness } from './adapters/use-readiness.ts'
import { changesQuery } from './data/resource-query.ts'
import type { ResourceState } from './data/resource-state.ts'
import { useResource } from './data/use-resource.ts'
import { ChildrenPanel } from './details/children-panel.tsx'
import { DetailsPanel } from './details/details-panel.tsx'
import { LabelsPanel } from './details/labels-panel.tsx'
import { StateBadge } from '../resources/state-badge.tsx'
import { observedSpec } from './spec/observed-spec.ts'
import { SpecPanel } from './spec/spec-panel.tsx'
import { ResourceTimeline } from './resource-timeline.tsx'
import css from './resource.module.css'
import { Summary } from './summary.tsx'
import { useListCrumb } from './use-list-crumb.ts'
import { TopologyPanel } from './topology/topology-panel.tsx'
import { ConditionsPanel } from './conditions/conditions-panel.tsx'

/** Everything about one resource, live. */
export function ResourcePage() {
  const { plural = '', id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useResource(plural, id)
  const crumb = useListCrumb(plural)
  if (data !== undefined) return <LoadedPage key={id} plural={plural} state={data} />
  return (
    <Page title={id} trail={[crumb]}>
      {error === null ? (
        <Skeleton lines={10} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
      {error instanceof NotFound && <ResourceTimeline plural={plural} id={id} isGone />}
    </Page>
  )
}

interface LoadedPageProps {
  readonly plural: string
  readonly state: ResourceState
}

function LoadedPage({ plural, state }: LoadedPageProps) {
  const { resource, isRemoved } = state
  const crumb = useListCrumb(plural)
  const { data: kinds } = useQuery(kindsQuery)
  const kind = kinds?.find((one) => one.kind === resource.kind)
  return (
    <Page
      title={resource.name}
      icon={kindIcon(plural)}
      trail={[crumb]}
      status={
        isRemoved ? (
          <Badge tone="neutral">Removed</Badge>
        ) : (
          kind !== undefined && <StateBadge resource={resource} kind={kind} />
        )
      }
      actions={isRemoved ? undefined : <Actions plural={plural} state={state} />}
    >
      <Content plural={plural} state={state} />
    </Page>
  )
}

function Actions({ plural, state: { resource } }: LoadedPageProps) {
  const [isDeleting, setDeleting] = useState(false)
  const isLive = resource.deleted_time === undefined
  const names = [resource.id, resource.name]
  const editDenied = useResourceAccess('patch', plural, names)
  const deleteDenied = useResourceAccess(isLive ? 'delete' : 'forcedelete', plural, names)
  const edit = (
    <>
      <Icon name="edit" size={14} />
      Edit
    </>
  )
  return (
    <>
      {isLive && (
        <AllowedLink denied={editDenied} label={edit}>
          <Link
            to="/resources/$plural/$id/edit"
            params={{ plural, id: resource.id }}
            className={buttonClass()}
          >
            {edit}
          </Link>
        </AllowedLink>
      )}
      <ActionMenu
        label={`More actions for ${resource.name}`}
        actions={[
          {
            label: isLive ? 'Delete…' : 'Force the deletion…',
            icon: 'trash',
            isDangerous: true,
            denied: deleteDenied,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      {isDeleting && (
        <DeleteDialog plural={plural} resource={resource} onClose={() => setDeleting(false)} />
      )}
    </>
  )
}

function Content({ plural, state }: LoadedPageProps) {
  const { resource, isRemoved } = state
  const { data: kinds = [] } = useQuery(kindsQuery)
  const { data: changePages } = useInfiniteQuery(changesQuery(plural, resource.id))
  const readiness = useReadiness(resource)
  const changes = useMemo(
    () => changePages?.pages.flatMap(({ items }) => items) ?? [],
    [changePages],
  )
  const observed = useMemo(
    () => observedSpec(resource, readiness?.requirements ?? [], changes),
    [resource, readiness?.requirements, changes],
  )
  const kind = kinds.find((one) => one.kind === resource.kind)
  const parent = kinds.find((one) => one.kind === kind?.parent_kind)
  const childKinds = kinds.filter((one) => one.parent_kind === resource.kind)
  const isReadOnly = isRemoved || resource.deleted_time !== undefined
  return (
    <div className={css['columns']}>
      <div className={css['column']}>
        <Summary state={state} kind={kind} readiness={readiness} />
        <AdaptersPanel resource={resource} rows={readiness?.rows} />
        <ConditionsPanel resource={resource} changes={changes} />
        <SpecPanel resource={resource} observed={observed} />
      </div>
      <div className={css['column']}>
        <DetailsPanel resource={resource} parentPlural={parent?.plural} />
        <LabelsPanel plural={plural} resource={resource} isReadOnly={isReadOnly} />
        <ChildrenPanel state={state} kinds={childKinds} />
        {plural === 'clusters' && !isRemoved && <TopologyPanel state={state} kinds={kinds} />}
        <ResourceTimeline plural={plural} id={resource.id} />
      </div>
    </div>
  )
}
