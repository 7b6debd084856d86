import { endLongTurn } from '../../../lib/async/steps.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { WriteContext } from '../../model/native-resource.ts'
import type { Target } from '../../model/object-operations.ts'
import { validateMetadata } from '../../native/metadata/validate-metadata.ts'
import { objectErrors } from '../../schemas/object-errors.ts'
import type { OperationsContext } from '../context.ts'
import { versionOf } from '../versioned-object.ts'
import { nativeOf } from '../write-context.ts'

/** An object before and after a write. */
interface Write {
  readonly target: Target
  readonly next: ApiObject
  /** Null for creations. */
  readonly old: ApiObject | null
}

/** The violated rules of metadata, schema and strategy. */
export async function validateObject(
  context: Pick<OperationsContext, 'natives'>,
  { target, next, old }: Write,
  circumstances: WriteContext,
): Promise<readonly FieldError[]> {
  const { type, version } = target
  const { schema } = versionOf(type, version)
  const errors = [...validateMetadata(next, type, old), ...(await objectErrors(next, old, schema))]
  if (errors.length > 0) return errors
  await endLongTurn()
  return (await nativeOf(context, target)?.strategy?.validate?.(next, old, circumstances)) ?? []
}
