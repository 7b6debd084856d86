import type { JsonValue } from '../../lib/json/json.ts'
import { hasPlaceholders, type PlaceholderValues } from '../../lib/json/replace-placeholders.ts'
import { DEFINITIONS_RESOURCE } from '../definitions/type-registry.ts'
import { tooLong, tooMany } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import { resourceKey, type ResourceType } from '../model/resource-type.ts'
import { compileDefinitions } from './compile-definitions.ts'
import { type CompiledManifest, compileManifest } from './compile-manifest.ts'
import type { CompiledObject, CompiledSeed } from './compiled-seed.ts'
import { findType } from './find-type.ts'
import { type Manifest, manifestErrors, manifestObject } from './manifest.ts'
import { placeErrors } from './place-errors.ts'
import type { TypedManifest } from './prepare-object.ts'
import type { SeedContext } from './seed-context.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** The most manifests of a list, and their most bytes as JSON. */
const MAX_MANIFESTS = 1000
const MAX_BYTES = 1_048_576

/** The result of a compilation. */
export type SeedCompilation =
  | { readonly status: 'compiled'; readonly seed: CompiledSeed }
  | { readonly status: 'invalid'; readonly errors: readonly FieldError[] }

interface Options {
  /** The path of the list, such as `spec.template.objects`. */
  readonly field: string
  /** The member for which manifests with placeholders are validated. */
  readonly sample: PlaceholderValues
}

/**
 * Validates manifests for the planes of members, as the API validates their creation. Quotas,
 * webhooks and policies do not apply.
 */
export async function compileSeed(
  context: SeedContext,
  manifests: readonly JsonValue[],
  { field, sample }: Options,
): Promise<SeedCompilation> {
  const broken = listErrors(manifests, field)
  if (broken.length > 0) return { status: 'invalid', errors: broken }
  const read = manifests.map((value, index): Manifest => {
    return { field: `${field}[${index}]`, object: manifestObject(value) }
  })
  const natives = withTypes(context, [], read)
  const isDefinition = ({ type }: TypedManifest): boolean =>
    resourceKey(type) === DEFINITIONS_RESOURCE
  const definitions = await compileDefinitions(context, natives.typed.filter(isDefinition))
  const { typed, errors } = withTypes(context, definitions.types, read)
  const others = typed.filter((manifest) => !isDefinition(manifest))
  const compiled = [...definitions.manifests]
  for (const manifest of others) compiled.push(await compileManifest(context, manifest, sample))
  // If a definition is invalid, its instances have no type.
  const invalid = compiled.flatMap((result) => ('errors' in result ? result.errors : []))
  const isUntyped = definitions.manifests.some((result) => 'errors' in result)
  return resultOf(context, compiled, isUntyped ? invalid : [...errors, ...invalid])
}

function listErrors(manifests: readonly JsonValue[], field: string): readonly FieldError[] {
  if (manifests.length > MAX_MANIFESTS) return [tooMany(field, manifests.length, MAX_MANIFESTS)]
  const bytes = Buffer.byteLength(jsonText(manifests))
  if (bytes > MAX_BYTES) return [tooLong(field, MAX_BYTES)]
  return manifests.flatMap((value, index) => manifestErrors(value, `${field}[${index}]`))
}

interface TypedManifests {
  readonly typed: readonly TypedManifest[]
  /** Errors of the manifests without a type. */
  readonly errors: readonly FieldError[]
}

function withTypes(
  context: SeedContext,
  defined: readonly ResourceType[],
  manifests: readonly Manifest[],
): TypedManifests {
  const typed: TypedManifest[] = []
  const errors: FieldError[] = []
  for (const manifest of manifests) {
    const found = findType(context, defined, manifest)
    if ('error' in found) errors.push(found.error)
    else typed.push({ ...manifest, ...found })
  }
  return { typed, errors }
}

function resultOf(
  context: SeedContext,
  compiled: readonly CompiledManifest[],
  errors: readonly FieldError[],
): SeedCompilation {
  if (errors.length > 0) return { status: 'invalid', errors }
  const valid = compiled.flatMap((result) => ('errors' in result ? [] : [result]))
  const misplaced = placeErrors(
    valid.map(({ placed }) => placed),
    context.initialPlaces,
  )
  if (misplaced.length > 0) return { status: 'invalid', errors: misplaced }
  const objects = valid.map(({ object }) => object)
  const hasVariablePlaces = objects.some(hasVariablePlace)
  return {
    status: 'compiled',
    seed: { context, objects: objects.toSorted(compareRanks), hasVariablePlaces },
  }
}

function hasVariablePlace({ manifest }: CompiledObject): boolean {
  const { name = '', namespace = '' } = manifest.object.metadata
  return hasPlaceholders([name, namespace])
}

/** Other objects depend on namespaces and definitions. */
const FIRST = ['namespaces', DEFINITIONS_RESOURCE]

function compareRanks(one: CompiledObject, other: CompiledObject): number {
  return rankOf(one) - rankOf(other)
}

function rankOf({ manifest }: CompiledObject): number {
  const rank = FIRST.indexOf(resourceKey(manifest.type))
  return rank === -1 ? FIRST.length : rank
}
