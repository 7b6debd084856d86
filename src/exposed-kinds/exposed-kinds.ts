import type { Context } from '../store/operations/context.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { ConditionFamily } from '../hyperfleet/statuses/conditions/condition-family.ts'
import type { NativeResource } from '../planes/model/native-resource.ts'
import { ADAPTERS_FINALIZER } from './exposed-object.ts'
import { type BodyRules, createExposedStore } from './exposed-store.ts'
import { exposedType } from './resource-type.ts'
import type { ResourceRoots } from './resource-roots.ts'

interface Options {
  readonly context: Context
  readonly family: ConditionFamily
  readonly rules: BodyRules
  /** The kind whose resources have planes. */
  readonly planeKind: string
  readonly roots: ResourceRoots
}

/**
 * The HyperFleet kinds as resources of planes: root kinds in root planes, and the children of a
 * cluster in its plane. Kinds with references are not exposed, because objects cannot name them. Nor
 * are kinds that select resources, because planes do not know the kinds that a caller may list.
 */
export function exposeKinds(options: Options): readonly NativeResource[] {
  const { context, planeKind } = options
  return context.registry.kinds
    .filter(({ parent, references, selects }) => {
      const isExposed = references.length === 0 && selects === undefined
      return isExposed && (parent === null || parent.kind === planeKind)
    })
    .map((kind) => exposedKind(options, kind))
}

function exposedKind(options: Options, kind: RegisteredKind): NativeResource {
  const { roots } = options
  const type = exposedType(kind)
  const waitsForAdapters = kind.requiredAdapters.length > 0
  return {
    type,
    servedIn: (plane) => roots.isRoot(plane) === (kind.parent === null),
    store: createExposedStore({ ...options, kind, type }),
    strategy: {
      prepareDelete: (object) => {
        if (!waitsForAdapters) return object
        const { finalizers = [] } = object.metadata
        return {
          ...object,
          metadata: { ...object.metadata, finalizers: [...finalizers, ADAPTERS_FINALIZER] },
        }
      },
    },
  }
}
