import type { NativeResource } from '../apis/kube/model/native-resource.ts'
import { sandboxResources } from '../apis/sandboxes/resources/sandbox-resources.ts'

/** The resources of sandboxes. */
export function createSandboxes(): readonly NativeResource[] {
  return sandboxResources({ endpoints: {} })
}
