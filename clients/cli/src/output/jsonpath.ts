import { JSONPath } from 'jsonpath-plus'
import { CliError } from '../errors/cli-error.ts'

/**
 * Fills in a template such as `{.status.conditions[*].type}{"\n"}`, as kubectl does. A template
 * without braces is a path. Expressions never run as code.
 */
export function jsonpath(template: string, value: unknown): string {
  const whole = template.includes('{') ? template : `{${template}}`
  return whole.replaceAll(/\{([^{}]*)\}/g, (_, inner: string) => evaluate(inner.trim(), value))
}

function evaluate(expression: string, value: unknown): string {
  if (/^".*"$/.test(expression)) return quoted(expression)
  const path = expression.startsWith('$') ? expression : `$${expression.replace(/^(?=[^.[])/, '.')}`
  const found = find(path, value)
  return found.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' ')
}

function find(path: string, value: unknown): readonly unknown[] {
  try {
    const found: unknown = JSONPath({ path, json: asJson(value), eval: 'safe', wrap: true })
    return Array.isArray(found) ? found : []
  } catch (error) {
    throw invalid(path, error)
  }
}

function quoted(expression: string): string {
  try {
    return String(JSON.parse(expression))
  } catch (error) {
    throw invalid(expression, error)
  }
}

function invalid(expression: string, error: unknown): CliError {
  return new CliError(`the JSONPath '${expression}' is invalid`, {
    exit: 'usage',
    cause: error,
    hint: "A path is one such as '{.status.conditions[*].type}'.",
  })
}

function asJson(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : [value]
}
