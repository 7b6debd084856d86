import { defaultManager, managerNameErrors } from '../apply/manager-name.ts'
import { forbiddenValue, requiredValue, unsupportedValue } from '../errors/field-errors.ts'
import { objectInvalid } from '../errors/failures.ts'
import type { FieldError } from '../model/field-error.ts'
import type { ObjectPatch, WriteOptions } from '../model/object-operations.ts'

const VALIDATIONS = ['Ignore', 'Warn', 'Strict'] as const

interface Write {
  readonly query: URLSearchParams
  readonly userAgent: string
  readonly kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'
  /** Only for patches. */
  readonly patchType?: ObjectPatch['type']
}

/**
 * The options of a create, update or patch. The manager defaults to the client's program. Throws 422
 * if an option is invalid.
 */
export function writeOptionsOf({ query, userAgent, kind, patchType }: Write): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? ''
  const dryRun = query.getAll('dryRun').filter((value) => value !== '')
  const validation = query.get('fieldValidation') ?? ''
  const fieldValidation = VALIDATIONS.find((name) => name === validation)
  const errors: FieldError[] = [
    ...patchErrors(query, patchType),
    ...managerNameErrors(fieldManager),
    ...(dryRun.some((value) => value !== 'All')
      ? [unsupportedValue('dryRun', dryRun, ['All'])]
      : []),
    ...(fieldValidation === undefined && validation !== ''
      ? [unsupportedValue('fieldValidation', validation, ['', ...VALIDATIONS])]
      : []),
  ]
  if (errors.length > 0) throw objectInvalid({ group: 'meta.k8s.io', kind }, '', errors)
  return {
    dryRun: dryRun.length > 0,
    fieldManager: fieldManager === '' ? defaultManager(userAgent) : fieldManager,
    fieldValidation: fieldValidation ?? 'Warn',
  }
}

function patchErrors(
  query: URLSearchParams,
  patchType: ObjectPatch['type'] | undefined,
): readonly FieldError[] {
  if (patchType === 'apply') {
    const isNamed = (query.get('fieldManager') ?? '') !== ''
    return isNamed ? [] : [requiredValue('fieldManager', 'is required for apply patch')]
  }
  const isForced = query.has('force')
  return isForced ? [forbiddenValue('force', 'may not be specified for non-apply patch')] : []
}
