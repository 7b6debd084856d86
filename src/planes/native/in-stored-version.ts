import type { ApiObject } from '../model/api-object.ts'
import type { NativeResource, Strategy } from '../model/native-resource.ts'
import { apiVersionOf, type ResourceType } from '../model/resource-type.ts'

/** The resource whose rules see objects in the version that is stored, whatever the request uses. */
export function inStoredVersion(resource: NativeResource): NativeResource {
  const { type, strategy } = resource
  if (!type.convert || !strategy) return resource
  return { ...resource, strategy: converted(strategy, type) }
}

function converted(strategy: Strategy, { convert, group, storageVersion }: ResourceType): Strategy {
  const to = (object: ApiObject, version: string) => convert?.(object, version) ?? object
  const stored = (object: ApiObject) => to(object, storageVersion)
  const storedOrNull = (object: ApiObject | null) => object && stored(object)
  /** The result of a rule, in the version of the request. */
  const change = (object: ApiObject, rule: (object: ApiObject) => ApiObject | undefined) => {
    if (object.apiVersion === apiVersionOf(group, storageVersion)) return rule(object) ?? object
    const before = stored(object)
    const after = rule(before) ?? before
    return after === before ? object : to(after, versionOf(object))
  }
  return {
    ...strategy,
    prepareCreate: (object, context) =>
      change(object, (each) => strategy.prepareCreate?.(each, context)),
    prepareUpdate: (object, old, context) =>
      change(object, (each) => strategy.prepareUpdate?.(each, stored(old), context)),
    prepareDelete: (object, context) =>
      change(object, (each) => strategy.prepareDelete?.(each, context)),
    validate: (object, old, context) =>
      strategy.validate?.(stored(object), storedOrNull(old), context) ?? [],
    warnings: (object, old, context) =>
      strategy.warnings?.(stored(object), storedOrNull(old), context) ?? [],
    deletionWarnings: (object, context) =>
      strategy.deletionWarnings?.(stored(object), context) ?? [],
    isFinalizing: (object) => strategy.isFinalizing?.(stored(object)) ?? false,
    companions: (object, context) => strategy.companions?.(stored(object), context) ?? [],
  }
}

function versionOf({ apiVersion }: ApiObject): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1)
}
