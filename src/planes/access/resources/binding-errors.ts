import { isSameJson } from '../../../lib/json/same-json.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { invalidValue, requiredValue, unsupportedValue } from '../../errors/field-errors.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import { RBAC_GROUP } from '../rbac/role-objects.ts'
import { objectsOf } from '../../../lib/json/json-fields.ts'

/** Violations of the rules of a binding that the schema cannot express. */
export function bindingErrors(
  binding: ApiObject,
  old: ApiObject | null,
  isNamespaced: boolean,
): readonly FieldError[] {
  const { roleRef = null, subjects } = binding
  const errors = [
    ...roleRefErrors(isJsonObject(roleRef) ? roleRef : {}, isNamespaced),
    ...objectsOf(subjects).flatMap((subject, index) =>
      subjectErrors(subject, isNamespaced, `subjects[${index}]`),
    ),
  ]
  if (old && !isSameJson(old['roleRef'], roleRef)) {
    errors.push(invalidValue('roleRef', roleRef, 'cannot change roleRef'))
  }
  return errors
}

function roleRefErrors(
  { apiGroup = '', kind = '', name = '' }: JsonObject,
  isNamespaced: boolean,
): readonly FieldError[] {
  const errors: FieldError[] = []
  if (apiGroup !== RBAC_GROUP) {
    errors.push(unsupportedValue('roleRef.apiGroup', apiGroup, [RBAC_GROUP]))
  }
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  if (typeof kind !== 'string' || !kinds.includes(kind)) {
    errors.push(unsupportedValue('roleRef.kind', kind, kinds))
  }
  if (name === '') errors.push(requiredValue('roleRef.name'))
  else if (typeof name !== 'string' || !isPathSegment(name)) {
    errors.push(invalidValue('roleRef.name', name, "may not be '.' or '..' or contain '/' or '%'"))
  }
  return errors
}

function subjectErrors(
  { apiGroup = '', kind = '', name = '', namespace = '' }: JsonObject,
  isNamespaced: boolean,
  path: string,
): readonly FieldError[] {
  const errors = name === '' ? [requiredValue(`${path}.name`)] : []
  if (kind === 'ServiceAccount') {
    if (apiGroup !== '') errors.push(unsupportedValue(`${path}.apiGroup`, apiGroup, ['']))
    if (!isNamespaced && namespace === '') errors.push(requiredValue(`${path}.namespace`))
    return errors
  }
  if (kind !== 'User' && kind !== 'Group') {
    return [...errors, unsupportedValue(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]
  }
  if (apiGroup !== RBAC_GROUP) {
    errors.push(unsupportedValue(`${path}.apiGroup`, apiGroup, [RBAC_GROUP]))
  }
  return errors
}

/** Names of roles may have characters that other names may not. */
function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name)
}
