import type { JsonValue } from '../../../lib/json/json.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  duplicateValue,
} from '../../errors/field-errors.ts'
import { CelOptional, type CelValue } from '../../../lib/cel/values/value.ts'
import { ProgramError } from '../../expressions/compile-program.ts'
import {
  createEvaluationBudget,
  type EvaluationBudget,
} from '../../expressions/evaluation-budget.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'
import { MAX_FIELD_ERRORS } from '../validation/validation-run.ts'
import { type CompiledRule, compileRules } from './compile-rules.ts'
import { createValueConverter, type ValueConverter } from './schema-value.ts'

/** The steps of all rules of an object: at most 0.6 s of CPU without searches, with pauses. */
const MAX_STEPS = 3_000_000
/** The steps of one rule, as in Kubernetes. */
const MAX_RULE_STEPS = 1_000_000
/** The steps that the start of an evaluation costs. */
const STEPS_PER_RULE = 5
const MAX_MESSAGE = 5 * 1024

/** The state of the evaluation of all rules of an object. */
export interface RuleRun {
  readonly errors: FieldError[]
  readonly convert: ValueConverter
  readonly budget: EvaluationBudget
  /** Whether no further rules are evaluated. */
  isOver: boolean
}

/** A value whose schema has rules. */
export interface RuleSubject {
  readonly value: JsonValue
  readonly old: JsonValue | undefined
  readonly path: string
  readonly schema: Schema
}

/** Starts the evaluation of rules. */
export function startRuleRun(): RuleRun {
  return {
    errors: [],
    convert: createValueConverter(),
    budget: createEvaluationBudget(MAX_STEPS),
    isOver: false,
  }
}

/** Evaluates the rules of one value and adds violations to the run. */
export async function evaluateRules(subject: RuleSubject, run: RuleRun): Promise<void> {
  for (const rule of compileRules(subject.schema)) {
    if (run.errors.length >= MAX_FIELD_ERRORS) run.isOver = true
    if (run.isOver) return
    const { value, old } = subject
    const hasOld = old !== undefined && old !== null
    if (rule.usesOldSelf && !hasOld && rule.rule.optionalOldSelf !== true) continue
    const error = await evaluateRule(rule, subject, run)
    await run.budget.pause()
    if (error === null) continue
    if (!rule.usesOldSelf && hasOld && isSameJson(value, old)) continue
    run.errors.push(error)
  }
}

async function evaluateRule(
  compiled: CompiledRule,
  subject: RuleSubject,
  run: RuleRun,
): Promise<FieldError | null> {
  const { program, rule } = compiled
  const { path, schema } = subject
  const shown = schema.type ?? ''
  if (typeof program === 'string') {
    return invalidValue(path, shown, `rule compile error: ${program}`)
  }
  try {
    run.budget.spend(STEPS_PER_RULE)
    const budget = createEvaluationBudget(MAX_RULE_STEPS, run.budget)
    const isValid = await program.evaluate(variablesOf(compiled, subject, run), budget)
    if (isValid === true) return null
  } catch (error) {
    return invalidValue(path, shown, failureOf(error, rule.rule, run))
  }
  return violation(compiled, subject, await messageOf(compiled, subject, run))
}

function variablesOf(
  { rule }: CompiledRule,
  { value, old, schema }: RuleSubject,
  { convert }: RuleRun,
): Readonly<Record<string, CelValue>> {
  const oldSelf = old === undefined || old === null ? undefined : convert(old, schema)
  return {
    self: convert(value, schema),
    oldSelf: rule.optionalOldSelf === true ? new CelOptional(oldSelf) : (oldSelf ?? null),
  }
}

function failureOf(error: unknown, rule: string, run: RuleRun): string {
  const shown = JSON.stringify(rule)
  if (!(error instanceof ProgramError)) {
    run.isOver = true
    return 'validation failed due to running out of cost budget, no further validation rules will be run'
  }
  if (error.isBudgetExceeded) {
    run.isOver = true
    return `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`
  }
  return error.message.startsWith('no such overload')
    ? `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
    : `${error.message} evaluating rule: ${shown}`
}

/** The result of messageExpression, else the message, else the rule. */
async function messageOf(
  compiled: CompiledRule,
  subject: RuleSubject,
  run: RuleRun,
): Promise<string> {
  const { rule, message } = compiled
  const fallback = rule.message?.trim() ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`
  if (message === null) return fallback
  try {
    const text = await message.evaluate(variablesOf(compiled, subject, run), run.budget)
    const isUsable = typeof text === 'string' && text.trim() !== '' && !text.includes('\n')
    return isUsable && text.length <= MAX_MESSAGE ? text.trim() : fallback
  } catch {
    return fallback
  }
}

function violation(
  { rule, fieldPath }: CompiledRule,
  { value, path }: RuleSubject,
  detail: string,
): FieldError {
  const field = path === '' ? fieldPath.replace(/^\./, '') : `${path}${fieldPath}`
  const isCompound = typeof value === 'object' && value !== null
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(field, detail)
    case 'FieldValueRequired':
      return requiredValue(field, detail)
    case 'FieldValueDuplicate':
      if (!isCompound) return duplicateValue(field, value)
      return { field, reason: 'FieldValueDuplicate', message: 'Duplicate value' }
    default:
      if (!isCompound) return invalidValue(field, value, detail)
      return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${detail}` }
  }
}
