import type { Steps } from '../../lib/async/steps.ts'
import { invalidValue, requiredValue } from '../errors/field-errors.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { FieldError } from '../model/field-error.ts'
import { type Definition, readDefinition } from './definition.ts'
import { conversionErrors } from './validate-conversion.ts'
import { nameErrors } from './validate-names.ts'
import { versionErrors } from './validate-version.ts'
import { objectOf, textOf } from '../../lib/json/json-fields.ts'

const APPROVAL = 'api-approved.kubernetes.io'
const MAX_VERSIONS = 50

/** The violations of a definition that its schema cannot express. `old` is null for creations. */
export function* definitionErrors(
  object: ApiObject,
  old: ApiObject | null,
): Steps<readonly FieldError[]> {
  const definition = readDefinition(object)
  const previous = old && readDefinition(old)
  const spec = objectOf(object['spec'])
  const ofVersions: FieldError[] = []
  for (const [at, version] of definition.versions.slice(0, MAX_VERSIONS).entries()) {
    const before = previous?.versions.find(({ name }) => name === version.name) ?? null
    ofVersions.push(...(yield* versionErrors(version, before, `spec.versions[${at}]`)))
  }
  const identity = { name: object.metadata.name ?? '', scope: textOf(spec['scope']) }
  return [
    ...nameErrors(definition, identity),
    ...approvalErrors(object, definition),
    ...(spec['preserveUnknownFields'] === true
      ? [invalidValue('spec.preserveUnknownFields', true, 'must be false')]
      : []),
    ...versionListErrors(definition),
    ...ofVersions,
    ...conversionErrors(definition.conversion),
    ...(previous ? immutableErrors(definition, previous) : []),
    ...storedVersionErrors(definition),
  ]
}

function approvalErrors(object: ApiObject, { group }: Definition): readonly FieldError[] {
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)
  const annotations = object.metadata.annotations ?? {}
  if (!isProtected || (annotations[APPROVAL] ?? '') !== '') return []
  const detail = `protected groups must have approval annotation "${APPROVAL}", see https://github.com/kubernetes/enhancements/pull/1111`
  return [requiredValue(`metadata.annotations[${APPROVAL}]`, detail)]
}

function versionListErrors({ versions }: Definition): readonly FieldError[] {
  const names = versions.map(({ name }) => name)
  const problems = [
    new Set(names).size < names.length && 'must contain unique version names',
    versions.filter(({ storage }) => storage).length !== 1 &&
      'must have exactly one version marked as storage version',
    versions.length > MAX_VERSIONS && `must have at most ${MAX_VERSIONS} versions`,
  ]
  return problems
    .filter((problem) => typeof problem === 'string')
    .map((problem) => invalidValue('spec.versions', names, problem))
}

function immutableErrors(definition: Definition, old: Definition): readonly FieldError[] {
  const isEstablished = old.isTrue('Established')
  const scopeOf = ({ isNamespaced }: Definition) => (isNamespaced ? 'Namespaced' : 'Cluster')
  const fields: readonly (readonly [string, string, string, boolean])[] = [
    ['spec.scope', scopeOf(definition), scopeOf(old), isEstablished],
    ['spec.names.kind', definition.names.kind, old.names.kind, isEstablished],
    ['spec.group', definition.group, old.group, true],
    ['spec.names.plural', definition.names.plural, old.names.plural, true],
  ]
  return fields
    .filter(([, value, before, isImmutable]) => isImmutable && value !== before)
    .map(([field, value]) => invalidValue(field, value, 'field is immutable'))
}

function storedVersionErrors({ storedVersions, versions }: Definition): readonly FieldError[] {
  const field = 'status.storedVersions'
  if (storedVersions.length === 0) {
    return [invalidValue(field, [], 'must have at least one stored version')]
  }
  const storage = versions.find((version) => version.storage)?.name
  const missing =
    storage === undefined || storedVersions.includes(storage)
      ? []
      : [invalidValue(field, [...storedVersions], `must have the storage version ${storage}`)]
  const removed = storedVersions.flatMap((name, at) => {
    if (versions.some((version) => version.name === name)) return []
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    return [invalidValue(`${field}[${at}]`, name, detail)]
  })
  return [...missing, ...removed]
}
