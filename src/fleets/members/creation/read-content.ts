import { contentOf, type FleetContent } from '../../model/member-content.ts'
import { contentHash } from '../../model/content-hash.ts'
import type { Fleet } from '../../model/fleet.ts'
import { resourceKey } from '../../../planes/model/resource-type.ts'
import { SCENARIO_TYPE } from '../../types/scenario-type.ts'
import type { MemberParts } from './member-parts.ts'
import { objectOf } from '../../../lib/json/json-fields.ts'

/** The content of a fleet's members; null if its Scenario does not exist. */
export async function readContent(
  { store, rootPlane }: MemberParts,
  { scenario, content }: Fleet,
): Promise<FleetContent | null> {
  if (scenario === null) return { content, template: contentHash(content) }
  const resource = resourceKey(SCENARIO_TYPE)
  const found = await store().read({ plane: rootPlane, resource, namespace: '', name: scenario })
  if (found === null) return null
  const resolved = contentOf(objectOf(found.body['spec']))
  return { content: resolved, template: contentHash(resolved) }
}
