import {
  hasPlaceholders,
  type PlaceholderValues,
  replacePlaceholders,
} from '../../lib/json/replace-placeholders.ts'
import type { FieldError } from '../model/field-error.ts'
import type { CompiledObject } from './compiled-seed.ts'
import type { PlacedObject } from './place-errors.ts'
import { prepareObject, type PreparedObject, type TypedManifest } from './prepare-object.ts'
import type { SeedContext } from './seed-context.ts'

/** Uids and times are set when the seed is instantiated. */
const OCCASION = { plane: 'plane', now: new Date(0) }

/** The result for one manifest. */
export type CompiledManifest =
  | { readonly object: CompiledObject; readonly placed: PlacedObject }
  | { readonly errors: readonly FieldError[] }

/** Validates a manifest for one member. */
export async function compileManifest(
  context: SeedContext,
  manifest: TypedManifest,
  sample: PlaceholderValues,
): Promise<CompiledManifest> {
  const object = replacePlaceholders(manifest.object, sample)
  const preparation = await prepareObject(context, { ...manifest, object }, OCCASION)
  return 'errors' in preparation ? preparation : compiledManifest(manifest, preparation.prepared)
}

/** The result for a manifest whose object is valid. */
export function compiledManifest(
  manifest: TypedManifest,
  { content, companions }: PreparedObject,
): CompiledManifest {
  const { field } = manifest
  return {
    object: hasPlaceholders(manifest.object)
      ? { type: 'variable', manifest }
      : { type: 'fixed', manifest, contents: [content, ...companions] },
    placed: { field, place: content.key },
  }
}
