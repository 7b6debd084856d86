import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../../design/button.tsx'
import { ErrorState } from '../../design/states/error-state.tsx'
import { Skeleton } from '../../design/states/skeleton.tsx'
import { resourceOf } from '../../kube/plane-kind.ts'
import { objectParams } from '../../planes/plane-address.ts'
import { Branch } from './branch.tsx'
import { groupBy } from './group-by.ts'
import type { OwnerNode } from './owner-tree.ts'
import { MAX_OF_KIND, planeObjectsQuery } from './plane-objects-query.ts'
import css from './topology.module.css'

/** The objects of a plane by kind, each with the objects that it owns below it. */
export function PlaneTree({ plane }: { readonly plane: string }) {
  const { data, error, refetch } = useQuery(planeObjectsQuery(plane))
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={4} />
  const byKind = groupBy(data.roots, ({ kind }) => resourceOf(kind))
  return (
    <>
      <ul>
        {[...byKind].map(([resource, nodes]) => (
          <li key={resource}>
            <Branch label={labelOf(nodes)} count={nodes.length}>
              {() => <Nodes plane={plane} nodes={nodes} />}
            </Branch>
          </li>
        ))}
      </ul>
      <p className={css['note']}>
        Objects of the kinds that you may list in all namespaces, without events.
        {data.cut.length > 0 && ` Only ${MAX_OF_KIND} of the ${data.cut.join(', ')} were read.`}
      </p>
      {data.failed.length > 0 && (
        <p className={css['note']}>
          The server could not list {data.failed.join(', ')}.{' '}
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
    </>
  )
}

/** The kind, with its group, because two groups can have the same kind. */
function labelOf([node]: readonly OwnerNode[]): string {
  if (node === undefined) return ''
  const { kind, group } = node.kind
  return group === '' ? kind : `${kind} (${group})`
}

interface NodesProps {
  readonly plane: string
  readonly nodes: readonly OwnerNode[]
}

function Nodes({ plane, nodes }: NodesProps) {
  return (
    <ul>
      {nodes.map(({ kind, object: { metadata }, owned }) => {
        const { namespace = '', name } = metadata
        return (
          <li key={`${resourceOf(kind)} ${namespace}/${name}`}>
            <Link
              to="/planes/$plane/$group/$version/$plural/$namespace/$name"
              params={objectParams(plane, kind, { namespace, name })}
              className={css['link'] ?? ''}
            >
              {kind.kind} {namespace === '' ? name : `${namespace}/${name}`}
            </Link>
            {owned.length > 0 && (
              <Branch label="Owns" count={owned.length}>
                {() => <Nodes plane={plane} nodes={owned} />}
              </Branch>
            )}
          </li>
        )
      })}
    </ul>
  )
}
