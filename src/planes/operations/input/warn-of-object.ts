import type { ApiObject } from '../../model/api-object.ts'
import type { WriteContext } from '../../model/native-resource.ts'
import { finalizerWarnings } from '../../native/metadata/validate-metadata.ts'
import type { Requester, Target } from '../../model/object-operations.ts'
import type { OperationsContext } from '../context.ts'
import { nativeOf } from '../write-context.ts'

interface Write {
  readonly requester: Requester
  readonly target: Target
  readonly next: ApiObject
  /** Null for creations. */
  readonly old: ApiObject | null
}

/** Sends the warnings about a valid write. */
export function warnOfObject(
  context: Pick<OperationsContext, 'natives'>,
  { requester, target, next, old }: Write,
  circumstances: WriteContext,
): void {
  const warnings = target.type.isCustom
    ? finalizerWarnings(next, old)
    : (nativeOf(context, target)?.strategy?.warnings?.(next, old, circumstances) ?? [])
  for (const warning of warnings) requester.warn(warning)
}
