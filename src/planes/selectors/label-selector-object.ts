import type { LabelRequirement } from '../../store/objects/model/object-query.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { badRequest } from '../errors/failures.ts'
import type { FieldError } from '../model/field-error.ts'
import { labelRequirement, type LabelOperator } from './label-requirement.ts'
import { labelKeyProblems, labelValueProblems } from './label-syntax.ts'
import { jsonText } from '../../lib/json/json-text.ts'

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
}

/**
 * The requirements of a LabelSelector object (`matchLabels`, `matchExpressions`). An empty object
 * selects everything. Throws a 400 if the selector is invalid.
 */
export function labelSelectorRequirements(selector: JsonObject): readonly LabelRequirement[] {
  const equal = matchLabels(selector).map(([key, value]) =>
    labelRequirement({ key, operator: 'in', values: [textOf(value)] }, ''),
  )
  const expressions = matchExpressions(selector).map((expression) => {
    const { key, operator } = expression
    const known = operatorOf(operator)
    if (known === null) {
      throw badRequest(`${JSON.stringify(operator)} is not a valid label selector operator`)
    }
    const values = valuesOf(expression)
    return labelRequirement({ key: textOf(key), operator: known, values }, '')
  })
  return [...equal, ...expressions]
}

/** The violations of a LabelSelector object; `field` is its path in the object. */
export function labelSelectorErrors(selector: JsonObject, field: string): readonly FieldError[] {
  return [
    ...matchLabels(selector).flatMap(([key, value]) => [
      ...invalid(`${field}.matchLabels`, key, labelKeyProblems(key)),
      ...invalid(`${field}.matchLabels`, value, labelValueProblems(textOf(value))),
    ]),
    ...matchExpressions(selector).flatMap((expression, index) =>
      expressionErrors(expression, `${field}.matchExpressions[${index}]`),
    ),
  ]
}

function expressionErrors(expression: JsonObject, field: string): readonly FieldError[] {
  const key = textOf(expression['key'])
  const values = valuesOf(expression)
  return [
    ...operatorErrors(expression['operator'], values, field),
    ...invalid(`${field}.key`, key, labelKeyProblems(key)),
    ...values.flatMap((value, index) =>
      invalid(`${field}.values[${index}]`, value, labelValueProblems(value)),
    ),
  ]
}

function operatorErrors(
  operator: JsonValue | undefined,
  values: readonly string[],
  field: string,
): readonly FieldError[] {
  switch (operatorOf(operator)) {
    case 'in':
    case 'notin': {
      if (values.length > 0) return []
      const message = "Required value: must be specified when `operator` is 'In' or 'NotIn'"
      return [{ field: `${field}.values`, reason: 'FieldValueRequired', message }]
    }
    case 'exists':
    case '!': {
      if (values.length === 0) return []
      const message =
        "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
      return [{ field: `${field}.values`, reason: 'FieldValueForbidden', message }]
    }
    default:
      return invalid(`${field}.operator`, operator ?? '', ['not a valid selector operator'])
  }
}

function operatorOf(operator: JsonValue | undefined): LabelOperator | null {
  if (typeof operator !== 'string' || !Object.hasOwn(OPERATORS, operator)) return null
  return OPERATORS[operator] ?? null
}

function invalid(field: string, value: JsonValue, details: readonly string[]): FieldError[] {
  return details.map((detail) => ({
    field,
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${jsonText(value)}: ${detail}`,
  }))
}

function matchLabels({ matchLabels: labels }: JsonObject): readonly [string, JsonValue][] {
  return isJsonObject(labels) ? Object.entries(labels) : []
}

function matchExpressions({ matchExpressions: expressions }: JsonObject): readonly JsonObject[] {
  return Array.isArray(expressions) ? expressions.filter((item) => isJsonObject(item)) : []
}

function valuesOf({ values }: JsonObject): readonly string[] {
  return Array.isArray(values) ? values.map(textOf) : []
}

/** Schemas ensure that keys and values are text; others become their JSON. */
function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : jsonText(value)
}
