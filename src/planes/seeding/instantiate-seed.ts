import { randomUUID } from 'node:crypto'
import type { ObjectContent } from '../../store/objects/model/object-write.ts'
import type { PlaneSeed } from '../../store/objects/model/plane-seed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { type PlaceholderValues, replacePlaceholders } from '../../lib/json/replace-placeholders.ts'
import { DEFINITIONS_RESOURCE } from '../definitions/type-registry.ts'
import type { FieldError } from '../model/field-error.ts'
import { firstRevision } from '../model/first-revision.ts'
import { timestamp } from '../operations/input/system-fields.ts'
import type { CompiledObject, CompiledSeed } from './compiled-seed.ts'
import { withConditionTimes } from './establish-definition.ts'
import { placeErrors, type PlacedObject } from './place-errors.ts'
import { prepareObject } from './prepare-object.ts'
import { placeText } from './seed-context.ts'

/** A member whose plane is seeded. */
export interface SeededMember extends PlaceholderValues {
  readonly plane: string
  /** The creation of the member: the plane's first revision derives from it. */
  readonly createdTime: Date
  /** The time of the seed's objects; the creation of the member if absent. */
  readonly now?: Date
}

/** The content of one member's plane, or the rules that its values violate. */
export type SeedInstance =
  | { readonly status: 'seeded'; readonly seed: PlaneSeed }
  | { readonly status: 'invalid'; readonly errors: readonly FieldError[] }

/**
 * The objects of one member. Only manifests with placeholders are validated again. Values such as a
 * long name can make them invalid for this member alone.
 */
export async function instantiateSeed(
  compiled: CompiledSeed,
  member: SeededMember,
): Promise<SeedInstance> {
  const contents: ObjectContent[] = []
  const companions: ObjectContent[] = []
  const placed: PlacedObject[] = []
  const errors: FieldError[] = []
  for (const object of compiled.objects) {
    const instance = await contentsOf(compiled, object, member)
    if ('errors' in instance) {
      errors.push(...instance.errors)
      continue
    }
    const [content, ...others] = instance.contents
    if (!content) continue
    contents.push(content)
    companions.push(...others)
    placed.push({ field: object.manifest.field, place: content.key })
  }
  if (errors.length === 0 && compiled.hasVariablePlaces) {
    errors.push(...placeErrors(placed, compiled.context.initialPlaces))
  }
  if (errors.length > 0) return { status: 'invalid', errors }
  const { plane, createdTime } = member
  const seed = {
    plane,
    start: firstRevision(createdTime),
    contents: [...contents, ...unlessGiven(companions, contents)],
  }
  return { status: 'seeded', seed }
}

type Instance =
  | { readonly contents: readonly ObjectContent[] }
  | { readonly errors: readonly FieldError[] }

async function contentsOf(
  { context }: CompiledSeed,
  compiled: CompiledObject,
  { plane, createdTime, now = createdTime, ...values }: SeededMember,
): Promise<Instance> {
  if (compiled.type === 'fixed') {
    const time = timestamp(now)
    return { contents: compiled.contents.map((content) => stamped(content, plane, time)) }
  }
  const { manifest } = compiled
  const object = replacePlaceholders(manifest.object, values)
  const preparation = await prepareObject(context, { ...manifest, object }, { plane, now })
  if ('errors' in preparation) return preparation
  const { content, companions } = preparation.prepared
  return { contents: [content, ...companions] }
}

/** The content with a plane, a uid and times. */
function stamped(
  { key, body, managedFields }: ObjectContent,
  plane: string,
  time: string,
): ObjectContent {
  const uid = randomUUID()
  const { metadata } = body
  const system = { ...(isJsonObject(metadata) && metadata), uid, creationTimestamp: time }
  const created: JsonObject = { ...body, metadata: system }
  return {
    key: { ...key, plane },
    uid,
    body: key.resource === DEFINITIONS_RESOURCE ? withConditionTimes(created, time) : created,
    managedFields: managedFields.map((entry) => withTime(entry, time)),
  }
}

function withTime(entry: JsonValue, time: string): JsonValue {
  return isJsonObject(entry) ? { ...entry, time } : entry
}

/** Companions are created unless the list has them. */
function unlessGiven(
  companions: readonly ObjectContent[],
  contents: readonly ObjectContent[],
): readonly ObjectContent[] {
  if (companions.length === 0) return companions
  const given = new Set(contents.map(({ key }) => placeText(key)))
  return companions.filter(({ key }) => !given.has(placeText(key)))
}
