import { Link } from '@tanstack/react-router'
import { isObject } from '../../../../typescript/src/http/json.ts'
import type { KindDescription } from '../../../../typescript/src/index.ts'
import { pluralLabel } from '../../app/nav-items.ts'
import { Panel } from '../../design/panel.tsx'
import type { ResourceState } from '../data/resource-state.ts'
import { Branch } from './branch.tsx'
import { PlaneTree } from './plane-tree.tsx'
import css from './topology.module.css'

interface TopologyPanelProps {
  readonly state: ResourceState
  readonly kinds: readonly KindDescription[]
}

/** A cluster as a tree: its children, its references, and the objects of its plane. */
export function TopologyPanel({ state, kinds }: TopologyPanelProps) {
  const { resource, children, childCount } = state
  const references = referencesOf(resource.references)
  const hidden = childCount - children.length
  return (
    <Panel title="Topology">
      <ul className={css['tree']} aria-label={`Topology of ${resource.name}`}>
        {kinds
          .filter(({ parent_kind: parent }) => parent === resource.kind)
          .map(({ kind, plural }) => {
            const own = children.filter((child) => child.kind === kind)
            return (
              <li key={plural}>
                <Branch
                  label={pluralLabel(kind, plural)}
                  count={hidden > 0 ? undefined : own.length}
                >
                  {() => (
                    <ul>
                      {own.map(({ id, name }) => (
                        <ResourceLink key={id} plural={plural} id={id} name={name} />
                      ))}
                      {hidden > 0 && <li>{hidden} more children, of any kind, are not shown.</li>}
                    </ul>
                  )}
                </Branch>
              </li>
            )
          })}
        {references.map(([type, targets]) => (
          <li key={type}>
            <Branch label={`References: ${type}`} count={targets.length}>
              {() => (
                <ul>
                  {targets.map(({ id, kind }) => (
                    <ResourceLink
                      key={id}
                      plural={kinds.find((one) => one.kind === kind)?.plural ?? 'resources'}
                      id={id}
                      name={`${kind} ${id}`}
                    />
                  ))}
                </ul>
              )}
            </Branch>
          </li>
        ))}
        <li>
          <Branch label="Objects of the plane, by owner">
            {() => <PlaneTree plane={resource.id} />}
          </Branch>
        </li>
      </ul>
    </Panel>
  )
}

interface ResourceLinkProps {
  readonly plural: string
  readonly id: string
  readonly name: string
}

function ResourceLink({ plural, id, name }: ResourceLinkProps) {
  return (
    <li>
      <Link to="/resources/$plural/$id" params={{ plural, id }} className={css['link'] ?? ''}>
        {name}
      </Link>
    </li>
  )
}

interface Target {
  readonly id: string
  readonly kind: string
}

/** The targets of the references by type. */
function referencesOf(references: unknown): readonly (readonly [string, readonly Target[]])[] {
  if (!isObject(references)) return []
  return Object.entries(references).map(([type, targets]) => [
    type,
    Array.isArray(targets) ? targets.filter(isTarget) : [],
  ])
}

function isTarget(value: unknown): value is Target {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['kind'] === 'string'
}
