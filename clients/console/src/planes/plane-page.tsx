import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CommandLine } from '../design/command-line.tsx'
import { ErrorState } from '../design/states/error-state.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { discoveryQuery } from '../kube/discovery-query.ts'
import { KindList } from './kind-list.tsx'
import css from './plane-page.module.css'
import { usePlaneLabel } from './plane-label.ts'
import { ClusterLink } from '../resources/cluster-link.tsx'

/** The kinds of one plane. */
export function PlanePage() {
  const { plane } = useParams({ from: '/planes/$plane' })
  const kinds = useQuery(discoveryQuery(plane))
  const { title, name, clusterId } = usePlaneLabel(plane)
  return (
    <Page
      title={title}
      icon="plane"
      trail={[{ label: 'Planes', to: '/planes' }]}
      actions={clusterId !== null && <ClusterLink id={clusterId} />}
    >
      <div className={css['page']}>
        {plane !== 'root' && (
          <div className={css['hint']}>
            <p>Use kubectl with this plane:</p>
            <CommandLine command={`npx flotilla kubeconfig ${name} --merge`} />
          </div>
        )}
        {kinds.isPending && <Skeleton />}
        {kinds.isError && <ErrorState error={kinds.error} onRetry={() => void kinds.refetch()} />}
        {kinds.data !== undefined && <KindList plane={plane} kinds={kinds.data} />}
      </div>
    </Page>
  )
}
