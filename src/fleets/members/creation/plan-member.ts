import type { Desired } from '../../../store/model/resource-fields.ts'
import type { ChildCreation, TreeCreation } from '../../../store/operations/bulk/tree-creation.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import {
  type PlaceholderValues,
  replacePlaceholders,
} from '../../../lib/json/replace-placeholders.ts'
import type { MemberContent } from '../../model/member-content.ts'
import { FLEET_LABEL } from '../../types/kplane-group.ts'
import type { MemberParts } from './member-parts.ts'

interface Plan {
  /** The name of the fleet. */
  readonly fleet: string
  readonly content: MemberContent
  /** Children have those of their parent. */
  readonly requiredAdapters: readonly string[] | null
  readonly user: string
}

/** A cluster and its node pools as the template declares them. Throws `invalid` for bad values. */
export function planMember(
  parts: MemberParts,
  { fleet, content, requiredAdapters, user }: Plan,
  values: PlaceholderValues,
): TreeCreation {
  const { kind, tenant } = parts
  const caller = { user }
  const root = { ...desiredMember(parts, { fleet, content }, values), kind, name: values.name }
  return {
    root: { ...root, requiredAdapters, tenant, ownerId: null, caller },
    children: desiredNodePools(parts, content, values).map((pool) => ({ ...pool, caller })),
  }
}

/** The desired state of a member's cluster. */
export function desiredMember(
  { kind, desiredOf }: MemberParts,
  { fleet, content }: Pick<Plan, 'fleet' | 'content'>,
  values: PlaceholderValues,
): Desired {
  const labels = replacePlaceholders<JsonObject>(content.labels, values)
  const spec = replacePlaceholders<JsonObject>(content.spec, values)
  const labelled = { ...labels, [FLEET_LABEL]: fleet }
  return desiredOf(kind, { kind: kind.kind, name: values.name, spec, labels: labelled })
}

/** The desired node pools of a member. */
export function desiredNodePools(
  { nodePoolKind, desiredOf }: MemberParts,
  { nodePools }: MemberContent,
  values: PlaceholderValues,
): readonly Omit<ChildCreation, 'caller'>[] {
  if (nodePoolKind === null) return []
  return nodePools.map((pool) => {
    const { name, labels = {}, spec = {} } = replacePlaceholders<JsonObject>(pool, values)
    const text = typeof name === 'string' ? name : ''
    const body = { kind: nodePoolKind.kind, name: text, labels, spec }
    const desired = desiredOf(nodePoolKind, body)
    return { ...desired, kind: nodePoolKind, name: text }
  })
}
