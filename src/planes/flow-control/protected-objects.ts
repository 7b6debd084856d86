import { objectForbidden } from '../errors/failures.ts'
import type { AdmissionPlugin } from '../model/admission.ts'
import { resourceKey } from '../model/resource-type.ts'
import { DEFAULT_LEVELS, MANDATORY_SCHEMAS } from './default-objects.ts'
import { FLOW_SCHEMAS_KEY } from './flow-schemas.ts'
import { PRIORITY_LEVELS_KEY } from './priority-levels.ts'

const PROTECTED = new Map([
  [FLOW_SCHEMAS_KEY, MANDATORY_SCHEMAS],
  [PRIORITY_LEVELS_KEY, DEFAULT_LEVELS],
])

/** Rejects the deletion of the objects that every server has. */
export const protectedFlowControl: AdmissionPlugin = {
  validate: async ({ operation, type, name, subresource }) => {
    if (operation !== 'DELETE' || subresource !== '') return
    if (PROTECTED.get(resourceKey(type))?.has(name)) {
      throw objectForbidden(type, name, 'every server has this object, so it may not be deleted')
    }
  },
}
