import { invalidValue, requiredValue, unsupportedValue } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import { dnsSubdomainMessages } from '../native/metadata/name-syntax.ts'
import type { Definition, DefinitionNames } from './definition.ts'

const LABEL = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/
const MAX_LABEL = 63

/** The problem of a text that is not a label as in RFC 1035, which starts with a letter. */
export function labelProblem(text: string): string | null {
  if (text.length > MAX_LABEL) return `must be no more than ${MAX_LABEL} bytes`
  if (LABEL.test(text)) return null
  return "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
}

/** The violations of group, scope and names. */
export function nameErrors(
  definition: Definition,
  { name, scope }: { readonly name: string; readonly scope: string },
): readonly FieldError[] {
  const { group, names } = definition
  const expected = `${names.plural}.${group}`
  return [
    ...(name === expected
      ? []
      : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...groupErrors(group),
    ...scopeErrors(scope),
    ...(['plural', 'singular', 'kind', 'listKind'] as const)
      .filter((field) => names[field] === '')
      .map((field) => requiredValue(`spec.names.${field}`)),
    ...syntaxErrors(names),
  ]
}

function groupErrors(group: string): readonly FieldError[] {
  const field = 'spec.group'
  if (group === '') return [requiredValue(field)]
  const messages = dnsSubdomainMessages(group)
  if (messages.length > 0) return [invalidValue(field, group, messages.join(','))]
  if (group.includes('.')) return []
  return [invalidValue(field, group, 'should be a domain with at least one dot')]
}

function scopeErrors(scope: string): readonly FieldError[] {
  if (scope === '') return [requiredValue('spec.scope')]
  const supported = ['Cluster', 'Namespaced']
  return supported.includes(scope) ? [] : [unsupportedValue('spec.scope', scope, supported)]
}

function syntaxErrors(names: DefinitionNames): readonly FieldError[] {
  const { plural, singular, kind, listKind, shortNames, categories } = names
  const sameKind = 'kind and listKind may not be the same'
  return [
    ...labelErrors('spec.names.plural', plural),
    ...labelErrors('spec.names.singular', singular),
    ...kindErrors('spec.names.kind', kind),
    ...kindErrors('spec.names.listKind', listKind),
    ...shortNames.flatMap((name, at) => labelErrors(`spec.names.shortNames[${at}]`, name)),
    ...(kind !== '' && kind === listKind
      ? [invalidValue('spec.names.listKind', listKind, sameKind)]
      : []),
    ...categories.flatMap((name, at) => labelErrors(`spec.names.categories[${at}]`, name)),
  ]
}

function labelErrors(field: string, text: string): readonly FieldError[] {
  const problem = text === '' ? null : labelProblem(text)
  return problem === null ? [] : [invalidValue(field, text, problem)]
}

function kindErrors(field: string, kind: string): readonly FieldError[] {
  const problem = kind === '' ? null : labelProblem(kind.toLowerCase())
  if (problem === null) return []
  const detail = `may have mixed case, but should otherwise match: ${problem}`
  return [invalidValue(field, kind, detail)]
}
