import { errorMessage } from '../../../lib/error-message.ts'
import { type Program, ProgramError } from '../../expressions/compile-program.ts'
import type { Schema, ValidationRule } from '../../model/schema.ts'
import { parseFieldPath } from './field-path.ts'
import { compileRuleProgram } from './rule-language.ts'

/** A rule that is ready for evaluation. */
export interface CompiledRule {
  readonly rule: ValidationRule
  /** The message of the failed compilation if there is no program. */
  readonly program: Program | string
  readonly message: Program | null
  readonly usesOldSelf: boolean
  /** Appended to the path of the value: `.spec.a` or empty. */
  readonly fieldPath: string
}

const COMPILED = new WeakMap<Schema, readonly CompiledRule[]>()

/** The rules of a schema, without those of its parts. They are compiled once. */
export function compileRules(schema: Schema): readonly CompiledRule[] {
  const cached = COMPILED.get(schema)
  if (cached) return cached
  const rules = (schema['x-kubernetes-validations'] ?? []).map((rule) => compileRule(rule, schema))
  COMPILED.set(schema, rules)
  return rules
}

function compileRule(rule: ValidationRule, schema: Schema): CompiledRule {
  const program = compiled(rule.rule)
  const message = rule.messageExpression ? compiled(rule.messageExpression) : null
  const path = rule.fieldPath ? parseFieldPath(rule.fieldPath, schema) : null
  return {
    rule,
    program,
    message: typeof message === 'string' ? null : message,
    usesOldSelf: typeof program !== 'string' && program.usesVariable('oldSelf'),
    fieldPath: path !== null && 'path' in path ? path.path : '',
  }
}

function compiled(text: string): Program | string {
  try {
    return compileRuleProgram(text)
  } catch (error) {
    if (error instanceof ProgramError) return errorMessage(error)
    throw error
  }
}
