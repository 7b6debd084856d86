import { RESERVED_RESOURCE_NAMES } from '../store/registry/kind-routes.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { Registry } from '../store/registry/registry.ts'
import type { BodyRules } from '../exposed-kinds/exposed-store.ts'
import type { FleetRules } from './resources/fleet-errors.ts'
import { forbiddenValue } from '../planes/errors/field-errors.ts'
import type { FieldError } from '../planes/model/field-error.ts'
import { compileSeed } from '../planes/seeding/compile-seed.ts'
import type { SeedContext } from '../planes/seeding/seed-context.ts'
import { FlotillaError } from '../lib/errors.ts'
import type { JsonObject } from '../lib/json/json.ts'
import { PLANE_KIND } from '../exposed-kinds/plane-directory.ts'

/** The kind of the node pools in templates. */
export const NODE_POOL_KIND = 'NodePool'

interface Options {
  readonly registry: Registry
  readonly rules: BodyRules
  readonly seeding: SeedContext
  readonly maxReplicas: number
}

/**
 * The rules of fleets: those of the HyperFleet API's kinds for the content of members. Null if the
 * program has no clusters.
 */
export function fleetRules({ registry, rules, maxReplicas, seeding }: Options): FleetRules | null {
  const cluster = registry.find(PLANE_KIND)
  const nodePool = registry.find(NODE_POOL_KIND)
  if (!cluster) return null
  return {
    maxReplicas,
    names: { ...cluster.name, reserved: RESERVED_RESOURCE_NAMES },
    content: {
      manifestErrors: async (manifests, field, sample) => {
        if (manifests.length === 0) return []
        const compiled = await compileSeed(seeding, manifests, { field, sample })
        return compiled.status === 'invalid' ? compiled.errors : []
      },
      clusterErrors: (body, field) =>
        // The name is that of a sample: its rules belong to the prefix.
        bodyErrors(rules, cluster, { body, field }).filter(
          (error) => error.field !== `${field}.name`,
        ),
      nodePoolErrors: (body, field) =>
        nodePool
          ? bodyErrors(rules, nodePool, { body, field })
          : [forbiddenValue(field, 'this server has no node pools')],
    },
  }
}

interface Part {
  readonly body: JsonObject
  /** The path of the body. */
  readonly field: string
}

function bodyErrors(
  rules: BodyRules,
  kind: RegisteredKind,
  { body, field }: Part,
): readonly FieldError[] {
  try {
    rules.create(kind, { ...body, kind: kind.kind })
    return []
  } catch (error) {
    if (!(error instanceof FlotillaError) || error.reason !== 'invalid') throw error
    return error.causes.map((cause) => ({
      field: `${field}.${cause.field}`,
      reason: cause.constraint === 'required' ? 'FieldValueRequired' : 'FieldValueInvalid',
      message: `Invalid value: ${cause.message}`,
    }))
  }
}
