import type { ApiObject } from '../model/api-object.ts'
import type { NativeResource, Strategy } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import { readDefinition } from './definition.ts'
import { DEFINITIONS_RESOURCE } from './type-registry.ts'

/**
 * The resources of a program, which accepts definitions of built-in kinds: manifests of operators
 * contain them. They have no effect. A write warns of it, and a deletion keeps the objects.
 */
export function withBuiltInKinds(resources: readonly NativeResource[]): readonly NativeResource[] {
  const byKey = new Map(resources.map((resource) => [resourceKey(resource.type), resource]))
  const isBuiltIn: IsBuiltIn = (definition, plane) => {
    const { group, names } = readDefinition(definition)
    const resource = byKey.get(resourceKey({ group, plural: names.plural }))
    return resource !== undefined && (resource.servedIn?.(plane) ?? true)
  }
  return resources.map((resource) => {
    if (resourceKey(resource.type) !== DEFINITIONS_RESOURCE) return resource
    return { ...resource, strategy: { ...resource.strategy, ...rulesOf(resource, isBuiltIn) } }
  })
}

type IsBuiltIn = (definition: ApiObject, plane: string) => boolean

function rulesOf({ strategy }: NativeResource, isBuiltIn: IsBuiltIn): Strategy {
  return {
    warnings: (definition, old, context) => [
      ...(strategy?.warnings?.(definition, old, context) ?? []),
      ...(isBuiltIn(definition, context.plane) ? [warningOf(definition)] : []),
    ],
    // The finalizer of other definitions delays their removal until all objects are deleted.
    prepareDelete: (definition, context) =>
      isBuiltIn(definition, context.plane)
        ? definition
        : (strategy?.prepareDelete?.(definition, context) ?? definition),
  }
}

function warningOf(definition: ApiObject): string {
  const { group, names } = readDefinition(definition)
  return `${names.kind} of ${group} is built in: this definition has no effect`
}
