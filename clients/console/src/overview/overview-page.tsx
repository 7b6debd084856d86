import { AllowedLink } from '../access/allowed-link.tsx'
import { useResourceAccess } from '../access/use-access.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { KindDescription, Overview } from '../../../typescript/src/generated/hyperfleet.ts'
import { kindsQuery } from '../data/kinds.ts'
import { buttonClass } from '../design/button-class.ts'
import { EmptyState } from '../design/states/empty-state.tsx'
import { ErrorState } from '../design/states/error-state.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { AllReady } from './all-ready.tsx'
import { BreakdownPanel } from './breakdown/breakdown-panel.tsx'
import { ChangeFeed } from './change-feed.tsx'
import { KindTile } from './kind-tile.tsx'
import { NotReadyPanel } from './not-ready-panel.tsx'
import { OverviewSeries } from './overview-series.tsx'
import { FiringPanel } from '../views/firing-panel.tsx'
import css from './overview.module.css'
import { RateTile } from './rate-tile.tsx'
import { useOverview } from './use-overview.ts'

/** The state of the whole fleet: what is not ready and why, the load, and the last changes. */
export function OverviewPage() {
  const { data: overview, isPending, error, refetch } = useOverview()
  const { data: kinds = [] } = useQuery(kindsQuery)
  return (
    <Page title="Overview">
      {isPending && <Skeleton lines={9} />}
      {overview === undefined && error !== null && (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
      {overview !== undefined && <Content overview={overview} kinds={kinds} />}
    </Page>
  )
}

interface ContentProps {
  readonly overview: Overview
  readonly kinds: readonly KindDescription[]
}

function Content({ overview, kinds }: ContentProps) {
  const counted = kinds.flatMap((kind) => {
    const counts = overview.kinds.find((one) => one.kind === kind.kind)
    return counts === undefined ? [] : [{ kind, counts }]
  })
  const shown = counted.filter(({ kind, counts }) => counts.total > 0 || kind.parent_kind === null)
  const broken = shown.filter(({ counts }) => counts.not_ready > 0)
  if (counted.every(({ counts }) => counts.total === 0) && kinds.length > 0) return <NoResources />
  return (
    <div className={css['content']}>
      <div className={css['tiles']}>
        {shown.map((one) => (
          <KindTile key={one.kind.kind} {...one} />
        ))}
        <RateTile
          label="Reports per second"
          value={overview.reports_per_second}
          history={overview.history.map((minute) => minute.reports_per_second)}
        />
        <RateTile
          label="Changes per second"
          value={overview.changes_per_second}
          history={overview.history.map((minute) => minute.changes_per_second)}
          note={`Lag ${lagText(overview.feed_lag_seconds)}`}
        />
      </div>
      <FiringPanel />
      {broken.length === 0 && <AllReady />}
      {broken.map((one) => (
        <BreakdownPanel key={one.kind.kind} {...one} />
      ))}
      <div className={css['columns']}>
        <div className={css['column']}>
          {broken.map((one) => (
            <NotReadyPanel key={one.kind.kind} {...one} />
          ))}
          <OverviewSeries kinds={kinds} />
        </div>
        <div className={css['column']}>
          <ChangeFeed changes={overview.recent} kinds={kinds} />
        </div>
      </div>
    </div>
  )
}

function lagText(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`
}

const PRIMARY = { variant: 'primary' } as const

function NoResources() {
  const denied = useResourceAccess('create', 'clusters')
  return (
    <EmptyState
      icon="overview"
      title="This server has no resources yet"
      command="flotilla create cluster my-cluster --label environment=dev"
      actions={
        <AllowedLink denied={denied} look={PRIMARY} label="Create a cluster">
          <Link
            to="/resources/$plural/new"
            params={{ plural: 'clusters' }}
            className={buttonClass(PRIMARY)}
          >
            Create a cluster
          </Link>
        </AllowedLink>
      }
    >
      Create a cluster, and this page shows whether it is ready, which adapters it waits for, and
      every change. Nothing needs to be reloaded.
    </EmptyState>
  )
}
