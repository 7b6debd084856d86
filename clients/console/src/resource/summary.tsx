import type { ReadinessExplanation } from '../../../typescript/src/index.ts'
import { Icon } from '../design/icon.tsx'
import type { ResourceState } from './data/resource-state.ts'
import css from './resource.module.css'

interface SummaryProps {
  readonly state: ResourceState
  /** Undefined while the reports are loading. */
  readonly readiness: ReadinessExplanation | undefined
}

/** One sentence: why the resource is ready or not. Screen readers announce changes. */
export function Summary({ state: { resource, isRemoved }, readiness }: SummaryProps) {
  const isReady = readiness?.ready === true && resource.deleted_time === undefined
  const look = isRemoved ? 'neutral' : isReady ? 'good' : 'warn'
  return (
    <div className={`${css['summary']} ${css[look]}`}>
      <Icon name={isRemoved ? 'trash' : isReady ? 'check' : 'clock'} />
      <p role="status">{isRemoved ? `${resource.name} has been removed.` : readiness?.sentence}</p>
    </div>
  )
}
