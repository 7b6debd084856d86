import { invalidValue } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import type { NativeResource } from '../model/native-resource.ts'
import type { ResourceType } from '../model/resource-type.ts'
import type { Manifest } from './manifest.ts'
import { needsWebhook, type SeedContext } from './seed-context.ts'

/** The type of a manifest, or the reason why planes do not serve it. */
export type FoundType =
  | { readonly type: ResourceType; readonly version: string }
  | { readonly error: FieldError }

/** Kinds that planes answer without storing them, or store elsewhere. */
function isStored({ review, store }: NativeResource): boolean {
  return review === undefined && store === undefined
}

/** Finds the type of a manifest among the native resources and the types of definitions. */
export function findType(
  { natives }: SeedContext,
  defined: readonly ResourceType[],
  { field, object }: Manifest,
): FoundType {
  const { apiVersion, kind } = object
  const [group, version] = groupAndVersion(apiVersion)
  const isNamed = (type: ResourceType): boolean => type.group === group && type.kind === kind
  const native = [...natives.values()].find(({ type }) => isNamed(type))
  const type = native?.type ?? defined.find(isNamed)
  if (!type) return { error: invalidValue(`${field}.kind`, kind, notServed(apiVersion)) }
  if (native && !isStored(native)) {
    return { error: invalidValue(`${field}.kind`, kind, 'is not part of the content of a plane') }
  }
  const served = type.versions.filter(({ served: isServed }) => isServed).map(({ name }) => name)
  if (!served.includes(version)) {
    const detail = `planes serve ${kind} in ${served.join(', ')}`
    return { error: invalidValue(`${field}.apiVersion`, apiVersion, detail) }
  }
  if (needsWebhook(type, version)) {
    const detail = `must have the storage version ${type.storageVersion}: a webhook converts the others`
    return { error: invalidValue(`${field}.apiVersion`, apiVersion, detail) }
  }
  return { type, version }
}

function notServed(apiVersion: string): string {
  return `planes do not serve this kind in ${apiVersion}: they have no workloads, and custom resources need a CustomResourceDefinition in the same list`
}

function groupAndVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/')
  return [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)]
}
