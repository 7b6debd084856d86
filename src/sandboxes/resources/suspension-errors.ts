import { type JsonValue, objectOf } from 'flotilla'
import { type FieldError, invalidValue, requiredValue } from 'flotilla/planes'
import { referenceErrors } from './reference-errors.ts'

const FIELD = 'spec.suspensionStrategy.hibernate'
const REFERENCES = ['snapshotProviderRef', 'snapshotClaimName', 'snapshotClaimTemplateName']

/**
 * The violations of a suspension strategy. Hibernate has at most one reference; without one it uses
 * the default claim.
 */
export function suspensionErrors(strategy: JsonValue | undefined): readonly FieldError[] {
  const { type, hibernate } = objectOf(strategy)
  if (hibernate === undefined) {
    const detail = `set one of ${REFERENCES.join(', ')}, or {} for the default claim`
    return type === 'Hibernate' ? [requiredValue(FIELD, detail)] : []
  }
  const fields = objectOf(hibernate)
  const set = REFERENCES.filter((name) => fields[name] !== undefined && fields[name] !== '')
  if (set.length > 1) {
    const detail = `at most one of ${REFERENCES.join(', ')} may be set`
    return [invalidValue(FIELD, set.join(' and '), detail)]
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
