import type { ReadinessExplanation } from '../../../typescript/src/index.ts'
import type { KindDescription } from '../../../typescript/src/index.ts'
import { Skeleton } from '../design/states/skeleton.tsx'
import { resourceState } from '../resources/resource-state.ts'
import { Icon } from '../design/icon.tsx'
import type { ResourceState } from './data/resource-state.ts'
import css from './resource.module.css'

interface SummaryProps {
  readonly state: ResourceState
  readonly kind: KindDescription | undefined
  /** Undefined while the reports are loading. */
  readonly readiness: ReadinessExplanation | undefined
}

const REMOVED = { tone: 'neutral', icon: 'trash' } as const

/** One sentence: why the resource is ready or not. Screen readers announce changes. */
export function Summary({ state: { resource, isRemoved }, kind, readiness }: SummaryProps) {
  if (readiness === undefined || kind === undefined) return <Skeleton lines={1} />
  const { tone, icon } = isRemoved ? REMOVED : resourceState(resource, kind)
  return (
    <div className={`${css['summary']} ${css[tone]}`}>
      <Icon name={icon} />
      <p role="status">{isRemoved ? `${resource.name} has been removed.` : readiness.sentence}</p>
    </div>
  )
}
