import type { JsonValue } from '../../../lib/json/json.ts'
import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../../errors/field-errors.ts'
import type { Schema, ValidationRule } from '../../model/schema.ts'
import type { CheckedExpression } from '../../../lib/cel/check/check-expression.ts'
import { DYN, type Type } from '../../../lib/cel/types/type.ts'
import { ProgramError } from '../../expressions/compile-program.ts'
import { parseFieldPath } from '../rules/field-path.ts'
import { resourceSchema } from '../rules/root-schema.ts'
import { checkRuleProgram } from '../rules/rule-language.ts'
import { schemaType, type SchemaType } from '../rules/schema-type.ts'
import { RuleCosts } from './rule-costs.ts'
import { type ErrorList, structuralParts } from './structural-run.ts'

/** The most rules of a schema, and the most characters of all of them. */
const MAX_RULES = 500
const MAX_CHARACTERS = 128 * 1024

const REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
]

/** A schema with rules. */
interface RuleHolder {
  readonly schema: Schema
  readonly path: string
  /** The ancestor whose parts have no counterpart in the old object, or null. */
  readonly uncorrelated: string | null
  /** The most values of the schema in one object; null if there is no limit. */
  readonly cardinality: number | null
}

/** Checks that the rules of a schema and its parts have valid types and are not too expensive. */
export function checkRules(schema: Schema, path: string, list: ErrorList): void {
  const holders = holdersOf({
    schema: resourceSchema(schema),
    path,
    uncorrelated: null,
    cardinality: 1,
  })
  const rules = holders.flatMap((holder) => holder.schema['x-kubernetes-validations'] ?? [])
  const characters = rules.reduce((total, { rule, messageExpression = '' }) => {
    return total + rule.length + messageExpression.length
  }, 0)
  if (rules.length > MAX_RULES || characters > MAX_CHARACTERS) {
    const detail = `must have at most ${MAX_RULES} rules with ${MAX_CHARACTERS} characters`
    list.add(forbiddenValue(path, `${detail} in x-kubernetes-validations`))
    return
  }
  const costs = new RuleCosts(list)
  for (const holder of holders) {
    for (const [at, rule] of (holder.schema['x-kubernetes-validations'] ?? []).entries()) {
      const rulePath = `${holder.path}.x-kubernetes-validations[${at}]`
      checkRule(rule, { path: rulePath, holder, costs }, list)
    }
  }
  costs.finish(path)
}

function holdersOf(holder: RuleHolder): readonly RuleHolder[] {
  const { schema, path } = holder
  const own = schema['x-kubernetes-validations'] === undefined ? [] : [holder]
  const parts = structuralParts(schema, path).flatMap((part) => {
    const isItem = part.level === 'item'
    const isCorrelated = isItem
      ? schema['x-kubernetes-list-type'] === 'map'
      : schema['x-kubernetes-map-type'] !== 'atomic'
    const uncorrelated = holder.uncorrelated ?? (isCorrelated ? null : path)
    const cardinality = cardinalityOfParts(holder)
    return holdersOf({ schema: part.schema, path: part.path, uncorrelated, cardinality })
  })
  return [...own, ...parts]
}

/** Lists and maps multiply the number of their parts. */
function cardinalityOfParts({ schema, cardinality }: RuleHolder): number | null {
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined
  if (schema.type !== 'array' && !isMap) return cardinality
  const most = isMap ? schema.maxProperties : schema.maxItems
  return cardinality === null || most === undefined ? null : cardinality * Math.max(0, most)
}

/** Values that expressions of other schemas cannot see. */
const UNTYPED: SchemaType = { type: DYN, maxSize: 0, minBytes: 1, item: null, fields: new Map() }

interface RulePlace {
  readonly path: string
  readonly holder: RuleHolder
  readonly costs: RuleCosts
}

function checkRule(
  rule: ValidationRule,
  { path, holder, costs }: RulePlace,
  list: ErrorList,
): void {
  const before = list.errors.length
  checkTexts(rule, path, list)
  if (rule.reason !== undefined && !REASONS.includes(rule.reason)) {
    list.add(unsupportedValue(`${path}.reason`, rule.reason, REASONS))
  }
  if (rule.fieldPath !== undefined && 'problem' in parseFieldPath(rule.fieldPath, holder.schema)) {
    list.add(invalidValue(`${path}.fieldPath`, rule.fieldPath, 'must be a valid path'))
  }
  if (list.errors.length > before) return
  const self = schemaType(holder.schema) ?? UNTYPED
  const types = { self: self.type, isOptional: rule.optionalOldSelf === true }
  const checked = checkedExpression(rule.rule, 'bool', types)
  if (typeof checked === 'string') {
    list.add(invalidValue(`${path}.rule`, shown(rule), checked))
    return
  }
  checkOldSelf(rule, { checked, path, uncorrelated: holder.uncorrelated }, list)
  const { cardinality } = holder
  costs.add({ checked, self, cardinality }, `${path}.rule`, 'rule')
  if (!rule.messageExpression) return
  const message = checkedExpression(rule.messageExpression, 'string', types)
  if (typeof message !== 'string') {
    const messagePath = `${path}.messageExpression`
    costs.add({ checked: message, self, cardinality }, messagePath, 'messageExpression')
    return
  }
  list.add(invalidValue(`${path}.messageExpression`, shown(rule), `messageExpression ${message}`))
}

function checkTexts(rule: ValidationRule, path: string, list: ErrorList): void {
  const { message, messageExpression, fieldPath } = rule
  const isMultiline = (text: string) => /[\n\r]/.test(text)
  if (rule.rule.trim() === '') {
    list.add(requiredValue(`${path}.rule`, 'rule is not specified'))
  } else if (message !== undefined && message !== '' && message.trim() === '') {
    list.add(invalidValue(`${path}.message`, message, 'must be non-empty if specified'))
  } else if (message !== undefined && isMultiline(message.trim())) {
    list.add(invalidValue(`${path}.message`, message, 'must not contain line breaks'))
  } else if (isMultiline(rule.rule.trim()) && !message?.trim()) {
    const detail = 'message must be specified if rule contains line breaks'
    list.add(requiredValue(`${path}.message`, detail))
  }
  if (
    messageExpression !== undefined &&
    messageExpression.trim() === '' &&
    messageExpression !== ''
  ) {
    const detail = 'messageExpression must be non-empty if specified'
    list.add(requiredValue(`${path}.messageExpression`, detail))
  }
  if (fieldPath !== undefined && isMultiline(fieldPath)) {
    list.add(invalidValue(`${path}.fieldPath`, fieldPath, 'must not contain line breaks'))
  }
}

interface CheckedRule {
  readonly checked: CheckedExpression
  readonly path: string
  /** The part of the schema without counterparts before an update, or null. */
  readonly uncorrelated: string | null
}

function checkOldSelf(
  { rule, optionalOldSelf }: ValidationRule,
  { checked: { names }, path, uncorrelated }: CheckedRule,
  list: ErrorList,
): void {
  const usesOldSelf = [...names.values()].includes('oldSelf')
  if (usesOldSelf && uncorrelated !== null) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`
    list.add(invalidValue(`${path}.rule`, rule, detail))
  }
  if (!usesOldSelf && optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule'
    list.add(invalidValue(`${path}.optionalOldSelf`, optionalOldSelf, detail))
  }
}

/** The checked expression, or the problem. */
function checkedExpression(
  text: string,
  type: 'bool' | 'string',
  { self, isOptional }: { readonly self: Type; readonly isOptional: boolean },
): CheckedExpression | string {
  try {
    const checked = checkRuleProgram(text, self, isOptional)
    if (checked.type.kind === type) return checked
    return type === 'bool' ? 'cel expression must evaluate to a bool' : 'must evaluate to a string'
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    return `compilation failed: ${error.message}`
  }
}

function shown(rule: ValidationRule): JsonValue {
  const { rule: text, message, messageExpression } = rule
  return {
    rule: text,
    ...(message !== undefined && { message }),
    ...(messageExpression !== undefined && { messageExpression }),
  }
}
