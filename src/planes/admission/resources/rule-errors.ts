import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { invalidValue, requiredValue, unsupportedValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import { labelSelectorErrors } from '../../selectors/label-selector-object.ts'
import { objectsOf, textsOf } from '../../../lib/json/json-fields.ts'

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']

/** The violations of the rules of a webhook or policy. */
export function ruleErrors(field: string, rules: JsonValue | undefined): readonly FieldError[] {
  return objectsOf(rules).flatMap((rule, index) => oneRuleErrors(`${field}[${index}]`, rule))
}

function oneRuleErrors(field: string, rule: JsonObject): readonly FieldError[] {
  const operations = textsOf(rule['operations'])
  const resources = textsOf(rule['resources'])
  return [
    ...listErrors(`${field}.operations`, operations),
    ...operations
      .filter((operation) => !OPERATIONS.includes(operation))
      .map((operation) => unsupportedValue(`${field}.operations`, operation, OPERATIONS)),
    ...listErrors(`${field}.apiGroups`, textsOf(rule['apiGroups'])),
    ...listErrors(`${field}.apiVersions`, textsOf(rule['apiVersions'])),
    ...listErrors(`${field}.resources`, resources),
    ...resources
      .filter((resource) => resource === '')
      .map(() => requiredValue(`${field}.resources`)),
  ]
}

/** A list with `*` has no other items. */
function listErrors(field: string, items: readonly string[]): readonly FieldError[] {
  if (items.length === 0) return [requiredValue(field)]
  if (items.length === 1 || !items.includes('*')) return []
  return [invalidValue(field, items, "if '*' is present, must not specify other items")]
}

/** The violations of the selectors of a webhook or policy. */
export function selectorErrors(field: string, source: JsonObject): readonly FieldError[] {
  return ['namespaceSelector', 'objectSelector'].flatMap((name) => {
    const selector = source[name]
    return isJsonObject(selector) ? labelSelectorErrors(selector, `${field}.${name}`) : []
  })
}
