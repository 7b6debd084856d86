import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AllowedLink } from '../../access/allowed-link.tsx'
import { HYPERFLEET, useAccess } from '../../access/use-access.ts'
import { pluralLabel } from '../../app/nav-items.ts'
import { buttonClass } from '../../design/button-class.ts'
import { Icon } from '../../design/icon.tsx'
import { Panel } from '../../design/panel.tsx'
import type { KindDescription } from '../../../../typescript/src/index.ts'
import { StateBadge } from '../../resources/state-badge.tsx'
import { childCountQuery, childSearch } from '../data/resource-query.ts'
import type { ResourceState } from '../data/resource-state.ts'
import css from './details.module.css'

interface ChildrenPanelProps {
  readonly state: ResourceState
  /** The kinds of which this resource can have children. */
  readonly kinds: readonly KindDescription[]
}

/** The children of a resource, such as the node pools of a cluster. */
export function ChildrenPanel({ state, kinds }: ChildrenPanelProps) {
  return kinds.map((kind) => <ChildrenOfKind key={kind.kind} state={state} childKind={kind} />)
}

interface ChildrenOfKindProps {
  readonly state: ResourceState
  readonly childKind: KindDescription
}

function ChildrenOfKind({ state, childKind }: ChildrenOfKindProps) {
  const { resource, children } = state
  const { kind, plural } = childKind
  const access = useAccess()
  const look = { size: 'small', variant: 'ghost' } as const
  const own = children.filter((child) => child.kind === kind)
  const count = useChildCount(state, kind, own.length)
  const create = (
    <>
      <Icon name="plus" size={14} />
      Create {kind}
    </>
  )
  return (
    <Panel
      title={pluralLabel(kind, plural)}
      note={count > 0 ? count.toLocaleString('en') : undefined}
      actions={
        resource.deleted_time === undefined && (
          <AllowedLink
            denied={access({ verb: 'create', group: HYPERFLEET, resource: plural })}
            look={look}
            label={create}
          >
            <Link
              to="/resources/$plural/new"
              params={{ plural }}
              search={{ parent: resource.id }}
              className={buttonClass(look)}
            >
              {create}
            </Link>
          </AllowedLink>
        )
      }
    >
      {count === 0 && (
        <p className={css['empty']}>
          This {resource.kind} has no {kind} yet.
        </p>
      )}
      {own.length > 0 && (
        <ul className={css['children']}>
          {own.map((child) => (
            <li key={child.id}>
              <Link
                className={css['child'] ?? ''}
                to="/resources/$plural/$id"
                params={{ plural, id: child.id }}
              >
                <span>{child.name}</span>
                <StateBadge resource={child} kind={childKind} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {count > own.length && (
        <p className={css['empty']}>
          <Link
            to="/resources/$plural"
            params={{ plural }}
            search={{ q: childSearch(resource.id) }}
            className={css['link'] ?? ''}
          >
            Show all {count.toLocaleString('en')}
          </Link>
        </p>
      )}
    </Panel>
  )
}

/** The number of children of a kind. The server counts them if the page does not have them all. */
function useChildCount(
  { resource, children, childCount }: ResourceState,
  kind: string,
  own: number,
) {
  const { data } = useQuery({
    ...childCountQuery(resource.id, kind, childCount),
    enabled: childCount > children.length,
    placeholderData: keepPreviousData,
  })
  return childCount > children.length ? Math.max(own, data ?? 0) : own
}
