import { FlotillaError, invalid } from '../../../lib/errors.ts'
import { type Refs, refsOfType } from '../../model/resource.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { FoundTarget, ReferenceTarget } from '../../references/reference-targets.ts'

/** A reference with its path in the body, such as `references.wif_config[0]`. */
export interface Reference extends ReferenceTarget {
  readonly path: string
}

/** All references of a resource of this kind. */
export function referencesOf({ references }: RegisteredKind, refs: Refs): readonly Reference[] {
  return references.flatMap(({ type, kind }) =>
    refsOfType(refs, type).map((id, place) => ({ kind, id, path: `references.${type}[${place}]` })),
  )
}

/** `invalid` with a violation for each target that does not exist or is of another kind. */
export function rejectMissingTargets(
  references: readonly Reference[],
  found: readonly FoundTarget[],
): void {
  const missing = references.filter((reference) => !found.some(isTargetOf(reference)))
  if (missing.length === 0) return
  throw invalid(
    missing.map(({ kind, id, path }) => ({
      field: path,
      message: `${path}: ${kind} with id='${id}' not found`,
      constraint: 'exists',
      value: id,
    })),
  )
}

/** `state-conflict` for the first target that is being deleted. */
export function rejectDeletedTargets(
  references: readonly Reference[],
  found: readonly FoundTarget[],
): void {
  const deleted = found.filter(({ live }) => !live)
  const first = references.find((reference) => deleted.some(isTargetOf(reference)))
  if (!first) return
  const { kind, id, path } = first
  throw new FlotillaError(
    'state-conflict',
    `${path}: ${kind} with id='${id}' is being deleted: refer to another one`,
  )
}

function isTargetOf({ kind, id }: Reference): (target: FoundTarget) => boolean {
  return (target) => target.id === id && target.kind === kind
}
