import { isSameJson, objectOf } from 'flotilla'
import {
  type AdmissionPlugin,
  type AdmissionRequest,
  type ApiObject,
  objectForbidden,
  resourceKey,
} from 'flotilla/planes'
import {
  forbiddenMessage,
  isForbidden,
} from '../controllers/sandboxes/operations/required-image.ts'
import type { RuntimeEntry } from '../controllers/sandboxes/runtimes/runtime-entry.ts'
import { workloadOf } from '../model/workload.ts'
import { SANDBOX_TEMPLATE_TYPE } from '../types/sandbox-template-type.ts'
import { SANDBOX_TYPE } from '../types/sandbox-type.ts'

interface Parts {
  readonly readRuntimes: () => Promise<readonly RuntimeEntry[]>
  /** The tenant of a plane; empty if it belongs to none. */
  readonly tenantOf: (plane: string) => Promise<string>
}

const KINDS = [SANDBOX_TYPE, SANDBOX_TEMPLATE_TYPE].map(resourceKey)

/**
 * Rejects sandboxes and their templates in an image that is registered for other tenants or
 * namespaces. Registrations change later, so the controller and the runtime check each start again.
 */
export function createImagePlugin(parts: Parts): AdmissionPlugin {
  return {
    validate: async ({ type, name, plane, namespace, ...request }) => {
      if (request.subresource !== '' || !KINDS.includes(resourceKey(type))) return
      const image = newImage(request)
      if (image === null) return
      const users = { tenant: await parts.tenantOf(plane), namespace }
      const wanted = { name: image, digest: null, users }
      if (!isForbidden(wanted, await parts.readRuntimes())) return
      throw objectForbidden(type, name, forbiddenMessage(wanted))
    },
  }
}

/** The image that a write sets; null if it sets none, or the former one. */
function newImage({
  object,
  oldObject,
}: Pick<AdmissionRequest, 'object' | 'oldObject'>): string | null {
  const image = imageOf(object)
  return isSameJson(image, imageOf(oldObject)) ? null : image
}

function imageOf(object: ApiObject | null): string | null {
  return object && workloadOf(objectOf(object['spec'])).image
}
