import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { invalidValue, requiredValue } from '../../errors/field-errors.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import { labelSelectorErrors } from '../../selectors/label-selector-object.ts'
import { objectsOf } from '../../../lib/json/json-fields.ts'

/** Violations of the rules of a role or cluster role that the schema cannot express. */
export function roleErrors(role: ApiObject, isNamespaced: boolean): readonly FieldError[] {
  const errors = objectsOf(role['rules']).flatMap((rule, index) =>
    ruleErrors(rule, isNamespaced, `rules[${index}]`),
  )
  return [...errors, ...aggregationErrors(role['aggregationRule'])]
}

function ruleErrors(rule: JsonObject, isNamespaced: boolean, path: string): readonly FieldError[] {
  const { nonResourceURLs = null } = rule
  const errors = isEmpty(rule, 'verbs')
    ? [requiredValue(`${path}.verbs`, 'verbs must contain at least one value')]
    : []
  if (!isEmpty(rule, 'nonResourceURLs')) {
    const field = `${path}.nonResourceURLs`
    if (isNamespaced) {
      const detail = 'namespaced rules cannot apply to non-resource URLs'
      errors.push(invalidValue(field, nonResourceURLs, detail))
    }
    if (['apiGroups', 'resources', 'resourceNames'].some((member) => !isEmpty(rule, member))) {
      const detail = 'rules cannot apply to both regular resources and non-resource URLs'
      errors.push(invalidValue(field, nonResourceURLs, detail))
    }
    return errors
  }
  if (isEmpty(rule, 'apiGroups')) {
    const detail = 'resource rules must supply at least one api group'
    errors.push(requiredValue(`${path}.apiGroups`, detail))
  }
  if (isEmpty(rule, 'resources')) {
    const detail = 'resource rules must supply at least one resource'
    errors.push(requiredValue(`${path}.resources`, detail))
  }
  return errors
}

function aggregationErrors(rule: JsonValue | undefined): readonly FieldError[] {
  if (!isJsonObject(rule)) return []
  const path = 'aggregationRule.clusterRoleSelectors'
  const selectors = objectsOf(rule['clusterRoleSelectors'])
  if (selectors.length === 0) {
    const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil'
    return [requiredValue(path, detail)]
  }
  return selectors.flatMap((selector, index) => labelSelectorErrors(selector, `${path}[${index}]`))
}

function isEmpty(object: JsonObject, member: string): boolean {
  const value = object[member]
  return !Array.isArray(value) || value.length === 0
}
