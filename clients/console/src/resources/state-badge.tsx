import type { KindDescription } from '../../../typescript/src/generated/hyperfleet.ts'
import { Badge } from '../design/badge.tsx'
import { resourceState, type Stateful } from './resource-state.ts'

interface StateBadgeProps {
  readonly resource: Stateful
  readonly kind: Pick<KindDescription, 'required_adapters'>
}

/** The state of a resource. */
export function StateBadge({ resource, kind }: StateBadgeProps) {
  const { tone, icon, label } = resourceState(resource, kind)
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  )
}
