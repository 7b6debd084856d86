import { Link } from '@tanstack/react-router'
import { AllowedLink } from '../../access/allowed-link.tsx'
import { HYPERFLEET, useAccess } from '../../access/use-access.ts'
import { pluralLabel } from '../../app/nav-items.ts'
import { buttonClass } from '../../design/button-class.ts'
import { Icon } from '../../design/icon.tsx'
import { Panel } from '../../design/panel.tsx'
import type { KindDescription } from '../../../../typescript/src/index.ts'
import { StateBadge } from '../../resources/state-badge.tsx'
import type { ResourceState } from '../data/resource-state.ts'
import css from './details.module.css'

interface ChildrenPanelProps {
  readonly state: ResourceState
  /** The kinds of which this resource can have children. */
  readonly kinds: readonly KindDescription[]
}

/** The children of a resource, such as the node pools of a cluster. */
export function ChildrenPanel({ state, kinds }: ChildrenPanelProps) {
  const { resource, children, childCount } = state
  const access = useAccess()
  const look = { size: 'small', variant: 'ghost' } as const
  const hidden = childCount - children.length
  return kinds.map((childKind) => {
    const { kind, plural } = childKind
    const own = children.filter((child) => child.kind === kind)
    const create = (
      <>
        <Icon name="plus" size={14} />
        Create {kind}
      </>
    )
    return (
      <Panel
        key={kind}
        title={pluralLabel(kind, plural)}
        note={own.length > 0 ? String(own.length) : undefined}
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
        {own.length === 0 ? (
          <p className={css['empty']}>
            This {resource.kind} has no {kind} yet.
          </p>
        ) : (
          <ul className={css['children']}>
            {own.map((child) => {
              return (
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
              )
            })}
          </ul>
        )}
        {hidden > 0 && <p className={css['empty']}>{hidden} more children are not shown.</p>}
      </Panel>
    )
  })
}
