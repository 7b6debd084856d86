import type { WriteOutcome } from '../../../store/objects/model/object-write.ts'
import {
  alreadyExists,
  objectConflict,
  objectForbidden,
  objectNotFound,
} from '../../errors/failures.ts'
import type { Target } from '../../model/object-operations.ts'

/** The outcome of a write that was stored. Throws the error of every other outcome. */
export function requireWritten(
  outcome: WriteOutcome,
  { type, namespace }: Target,
  name: string,
): WriteOutcome & { readonly status: 'written' } {
  switch (outcome.status) {
    case 'written':
      return outcome
    case 'namespace-missing':
      throw objectNotFound({ group: '', plural: 'namespaces' }, namespace)
    case 'namespace-terminating':
      throw objectForbidden(
        type,
        name,
        `unable to create new content in namespace ${namespace} because it is being terminated`,
        [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${namespace} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      )
    case 'exists':
      throw alreadyExists(type, name)
    case 'conflict':
      throw objectConflict(type, name)
    case 'limit-exceeded':
      throw objectForbidden(type, name, 'the namespace has the most objects of this resource')
    case 'fenced':
      throw objectConflict(
        type,
        name,
        'another leader has taken over, or an object that the write depends on is gone',
      )
  }
}
