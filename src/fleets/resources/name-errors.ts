import { duplicateValue, forbiddenValue, invalidValue } from '../../planes/errors/field-errors.ts'
import type { FieldError } from '../../planes/model/field-error.ts'
import { defaultPrefix, memberName } from '../model/member-name.ts'

/** The syntax of the names of clusters. */
export interface NameSyntax {
  readonly minLength: number
  readonly maxLength: number
  readonly reserved: readonly string[]
}

/** The fields of a spec that decide the names of members. */
export interface NamedSpec {
  readonly replicas: number
  readonly minReady: number
  readonly namePrefix: string
  readonly names: readonly string[]
}

const PATTERN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/
const PATTERN_RULE =
  'must start and end with a lowercase letter or digit and contain only lowercase letters, digits and hyphens'
const MAX_ERRORS = 100

/** The violations of the names that a fleet gives to its members. */
export function nameErrors(
  fleet: string,
  spec: NamedSpec,
  syntax: NameSyntax,
): readonly FieldError[] {
  return spec.names.length > 0 ? listErrors(spec, syntax) : prefixErrors(fleet, spec, syntax)
}

function listErrors({ replicas, minReady, names }: NamedSpec, syntax: NameSyntax) {
  const errors: FieldError[] = []
  if (names.length !== replicas) {
    const detail = `must have as many items as spec.replicas: ${replicas}`
    errors.push(invalidValue('spec.names', names.length, detail))
  }
  if (minReady > 0) errors.push(forbiddenValue('spec.minReady', 'may not be set with spec.names'))
  const seen = new Set<string>()
  for (const [index, name] of names.entries()) {
    const field = `spec.names[${index}]`
    if (seen.has(name)) errors.push(duplicateValue(field, name))
    seen.add(name)
    const problem = nameProblem(name, syntax)
    if (problem !== null) errors.push(invalidValue(field, name, problem))
    if (errors.length >= MAX_ERRORS) break
  }
  return errors
}

function prefixErrors(
  fleet: string,
  { replicas, minReady, namePrefix }: NamedSpec,
  syntax: NameSyntax,
): readonly FieldError[] {
  const isDefault = namePrefix === ''
  const prefix = isDefault ? defaultPrefix(fleet) : namePrefix
  const longest = memberName(prefix, Math.max(replicas + minReady - 1, 0))
  const problem = nameProblem(longest, syntax)
  if (problem === null) return []
  const origin = isDefault ? 'the default prefix, from metadata.name, ' : ''
  return [
    invalidValue(
      'spec.namePrefix',
      prefix,
      `${origin}leads to the name ${longest}, which ${problem}`,
    ),
  ]
}

function nameProblem(name: string, { minLength, maxLength, reserved }: NameSyntax): string | null {
  if (name.length < minLength || name.length > maxLength) {
    return `must have ${minLength} to ${maxLength} characters`
  }
  if (!PATTERN.test(name)) return PATTERN_RULE
  return reserved.includes(name) ? 'is reserved' : null
}
