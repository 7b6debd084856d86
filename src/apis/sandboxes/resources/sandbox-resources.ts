import type { NativeResource } from '../../kube/model/native-resource.ts'
import { ROOT_PLANE } from '../../kube/planes/root-plane.ts'
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

/** The parts of the resources that need the rest of the program. */
export interface SandboxResourceParts {
  /** The subresources of sandboxes by name. */
  readonly endpoints: NonNullable<NativeResource['endpoints']>
}

const inRoot = (plane: string): boolean => plane === ROOT_PLANE

/** The kinds of sandboxes. Every plane serves them, except for runtimes. */
export function sandboxResources({ endpoints }: SandboxResourceParts): readonly NativeResource[] {
  return [
    { type: SANDBOX_TYPE, endpoints },
    { type: SNAPSHOT_PROVIDER_TYPE },
    { type: SNAPSHOT_CLASS_TYPE },
    { type: SNAPSHOT_CLAIM_TYPE },
    { type: SNAPSHOT_CLAIM_TEMPLATE_TYPE },
    { type: SNAPSHOT_TYPE },
    { type: SANDBOX_TEMPLATE_TYPE },
    { type: SANDBOX_WARM_POOL_TYPE },
    { type: SANDBOX_CLAIM_TYPE },
    { type: SANDBOX_RUNTIME_TYPE, servedIn: inRoot },
  ]
}
