import { hasPlaceholders } from '../../lib/json/replace-placeholders.ts'
import { isTrue, requestedNames } from '../definitions/acceptance/definition-state.ts'
import { compileDefinition } from '../definitions/compile-definition.ts'
import { forbiddenValue, invalidValue } from '../errors/field-errors.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { ResourceType } from '../model/resource-type.ts'
import { type CompiledManifest, compiledManifest } from './compile-manifest.ts'
import { establishDefinition } from './establish-definition.ts'
import { prepareObject, type TypedManifest } from './prepare-object.ts'
import type { SeedContext } from './seed-context.ts'

const NO_TIME = new Date(0)
const OCCASION = { plane: 'plane', now: NO_TIME }

/** The definitions of a seed, and the types of their instances. */
interface CompiledDefinitions {
  readonly manifests: readonly CompiledManifest[]
  readonly types: readonly ResourceType[]
}

/** Validates definitions and accepts their names, in the given order. */
export async function compileDefinitions(
  context: SeedContext,
  definitions: readonly TypedManifest[],
): Promise<CompiledDefinitions> {
  const established: ApiObject[] = []
  const manifests: CompiledManifest[] = []
  for (const definition of definitions) {
    manifests.push(await compileOne(context, definition, established))
  }
  const types = established.map(compileDefinition).filter((type) => type !== null)
  return { manifests, types }
}

/** Adds the definition to the established ones. */
async function compileOne(
  context: SeedContext,
  manifest: TypedManifest,
  established: ApiObject[],
): Promise<CompiledManifest> {
  const { field, object } = manifest
  if (hasPlaceholders(object)) {
    const detail = 'definitions must not have placeholders: all members serve the same kinds'
    return { errors: [forbiddenValue(field, detail)] }
  }
  const accept = (definition: ApiObject) => establishDefinition(definition, established, NO_TIME)
  const preparation = await prepareObject(context, manifest, { ...OCCASION, change: accept })
  if ('errors' in preparation) return preparation
  const { prepared } = preparation
  if (!isTrue(prepared.object, 'NamesAccepted')) {
    const detail = 'another definition of the list has one of these names'
    const { plural } = requestedNames(prepared.object)
    return { errors: [invalidValue(`${field}.spec.names`, plural, detail)] }
  }
  established.push(prepared.object)
  return compiledManifest(manifest, prepared)
}
