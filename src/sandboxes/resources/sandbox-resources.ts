import { type NativeResource, ROOT_PLANE } from 'flotilla/planes'
import { inStoredVersion } from 'flotilla/planes/native'
import { SANDBOX_CLAIM_TYPE } from '../types/sandbox-claim-type.ts'
import { SANDBOX_RUNTIME_TYPE } from '../types/sandbox-runtime-type.ts'
import { SANDBOX_TEMPLATE_TYPE } from '../types/sandbox-template-type.ts'
import { SANDBOX_TYPE } from '../types/sandbox-type.ts'
import { SANDBOX_WARM_POOL_TYPE } from '../types/sandbox-warm-pool-type.ts'
import { SNAPSHOT_CLAIM_TEMPLATE_TYPE } from '../types/snapshot-claim-template-type.ts'
import { SNAPSHOT_CLAIM_TYPE } from '../types/snapshot-claim-type.ts'
import { SNAPSHOT_CLASS_TYPE } from '../types/snapshot-class-type.ts'
import { SNAPSHOT_PROVIDER_TYPE } from '../types/snapshot-provider-type.ts'
import { SNAPSHOT_TYPE } from '../types/snapshot-type.ts'
import { SANDBOX_CLAIM_STRATEGY, SANDBOX_WARM_POOL_STRATEGY } from './extension-strategies.ts'
import { SNAPSHOT_CLAIM_TEMPLATE_STRATEGY, SNAPSHOT_STRATEGY } from './immutable-spec-strategy.ts'
import { SANDBOX_RUNTIME_STRATEGY } from './sandbox-runtime-strategy.ts'
import { type SandboxProblems, sandboxStrategy } from './sandbox-strategy.ts'
import { sandboxTemplateStrategy } from './sandbox-template-strategy.ts'
import { SNAPSHOT_CLAIM_STRATEGY } from './snapshot-claim-strategy.ts'
import { SNAPSHOT_CLASS_STRATEGY } from './snapshot-class-strategy.ts'
import { SNAPSHOT_PROVIDER_STRATEGY } from './snapshot-provider-strategy.ts'
import { withoutProposals } from './without-proposals.ts'

/** The parts of the resources that need the rest of the program. */
export interface SandboxResourceParts extends SandboxProblems {
  /** The subresources of sandboxes by name. */
  readonly endpoints: NonNullable<NativeResource['endpoints']>
  /** Whether fields and kinds are served that upstream has not released. */
  readonly servesProposals: boolean
}

const inRoot = (plane: string): boolean => plane === ROOT_PLANE

/** The kinds of sandboxes. Every plane serves them, except for runtimes. */
export function sandboxResources({
  endpoints,
  servesProposals,
  ...problems
}: SandboxResourceParts): readonly NativeResource[] {
  const resources: readonly NativeResource[] = [
    { type: SANDBOX_TYPE, strategy: sandboxStrategy(problems), endpoints },
    { type: SNAPSHOT_PROVIDER_TYPE, strategy: SNAPSHOT_PROVIDER_STRATEGY },
    { type: SNAPSHOT_CLASS_TYPE, strategy: SNAPSHOT_CLASS_STRATEGY },
    { type: SNAPSHOT_CLAIM_TYPE, strategy: SNAPSHOT_CLAIM_STRATEGY },
    { type: SNAPSHOT_CLAIM_TEMPLATE_TYPE, strategy: SNAPSHOT_CLAIM_TEMPLATE_STRATEGY },
    { type: SNAPSHOT_TYPE, strategy: SNAPSHOT_STRATEGY },
    { type: SANDBOX_TEMPLATE_TYPE, strategy: sandboxTemplateStrategy(problems) },
    { type: SANDBOX_WARM_POOL_TYPE, strategy: SANDBOX_WARM_POOL_STRATEGY },
    { type: SANDBOX_CLAIM_TYPE, strategy: SANDBOX_CLAIM_STRATEGY },
  ]
  return [
    ...(servesProposals ? resources : resources.map(withoutProposals)).map(inStoredVersion),
    // Runtimes register themselves, with or without proposals.
    {
      type: SANDBOX_RUNTIME_TYPE,
      strategy: SANDBOX_RUNTIME_STRATEGY,
      servedIn: inRoot,
    },
  ]
}
