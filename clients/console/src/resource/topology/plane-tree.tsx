import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorState } from '../../design/states/error-state.tsx'
import { Skeleton } from '../../design/states/skeleton.tsx'
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
  const byKind = groupBy(data.roots, ({ kind }) => kind.kind)
  return (
    <>
      <ul>
        {[...byKind].map(([kind, nodes]) => (
          <li key={kind}>
            <Branch label={kind} count={nodes.length}>
              {() => <Nodes plane={plane} nodes={nodes} />}
            </Branch>
          </li>
        ))}
      </ul>
      <p className={css['note']}>
        {data.cut.length === 0
          ? 'All objects that you may list, without events.'
          : `Only ${MAX_OF_KIND} of the ${data.cut.join(', ')} were read.`}
      </p>
    </>
  )
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
          <li key={`${kind.plural} ${namespace}/${name}`}>
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
