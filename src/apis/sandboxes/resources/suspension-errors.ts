import type { JsonValue } from '../../../lib/json/json.ts'
import { invalidValue, requiredValue } from '../../kube/errors/field-errors.ts'
import type { FieldError } from '../../kube/model/field-error.ts'
import { objectOf } from '../model/stored-fields.ts'
import { referenceErrors } from './reference-errors.ts'

const FIELD = 'spec.suspensionStrategy.hibernate'
const REFERENCES = ['snapshotProviderRef', 'snapshotClaimName', 'snapshotClaimTemplateName']

/** The violations of a suspension strategy: Hibernate needs exactly one reference. */
export function suspensionErrors(strategy: JsonValue | undefined): readonly FieldError[] {
  const { type, hibernate } = objectOf(strategy)
  if (hibernate === undefined) {
    return type === 'Hibernate' ? [requiredValue(FIELD, `set one of ${REFERENCES.join(', ')}`)] : []
  }
  const fields = objectOf(hibernate)
  const set = REFERENCES.filter((name) => fields[name] !== undefined && fields[name] !== '')
  if (set.length !== 1) {
    const found = set.length === 0 ? 'none' : set.join(' and ')
    const detail = `exactly one of ${REFERENCES.join(', ')} must be set`
    return [invalidValue(FIELD, found, detail)]
  }
  const { snapshotProviderRef, snapshotClaimName, snapshotClaimTemplateName } = fields
  return [
    ...referenceErrors(`${FIELD}.snapshotProviderRef.name`, objectOf(snapshotProviderRef)['name']),
    ...referenceErrors(`${FIELD}.snapshotClaimName`, snapshotClaimName || undefined),
    ...referenceErrors(
      `${FIELD}.snapshotClaimTemplateName`,
      snapshotClaimTemplateName || undefined,
    ),
  ]
}
