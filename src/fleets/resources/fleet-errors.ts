import { adapterProblems } from '../../store/registry/adapter-problems.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { isSameJson } from '../../lib/json/same-json.ts'
import { forbiddenValue, invalidValue, tooLong } from '../../planes/errors/field-errors.ts'
import type { ApiObject } from '../../planes/model/api-object.ts'
import type { FieldError } from '../../planes/model/field-error.ts'
import { defaultPrefix, memberName } from '../model/member-name.ts'
import { contentErrors } from './content-errors.ts'
import type { ContentRules } from './content-rules.ts'
import { nameErrors, type NamedSpec, type NameSyntax } from './name-errors.ts'

/** The limits and rules of fleets. */
export interface FleetRules {
  readonly maxReplicas: number
  readonly names: NameSyntax
  readonly content: ContentRules
}

/** Members have a label with the name of their fleet. */
const MAX_LABEL_VALUE = 63
const CONTENT_FIELDS = ['labels', 'spec', 'nodePools', 'objects']
const PERCENTAGE = /^(?:100|[1-9]\d?)%$/

/** The violations of a fleet. A spec that has not changed stays valid. */
export async function fleetErrors(
  rules: FleetRules,
  object: ApiObject,
  old: ApiObject | null,
): Promise<readonly FieldError[]> {
  const { spec, metadata } = object
  const { name = '' } = metadata
  if (!isJsonObject(spec)) return []
  if (old !== null && isSameJson(old['spec'] ?? null, spec)) return []
  const named = namedSpec(spec)
  return [
    ...(name.length > MAX_LABEL_VALUE ? [tooLong('metadata.name', MAX_LABEL_VALUE)] : []),
    ...countErrors(named, rules.maxReplicas),
    ...nameErrors(name, named, rules.names),
    ...updateStrategyErrors(spec['updateStrategy']),
    ...adapterErrors(spec['requiredAdapters']),
    ...(await templateErrors(rules.content, spec['template'], sampleOf(name, named))),
  ]
}

function namedSpec({ replicas, minReady, namePrefix, names }: JsonObject): NamedSpec {
  return {
    replicas: Number(replicas ?? 0),
    minReady: Number(minReady ?? 0),
    namePrefix: typeof namePrefix === 'string' ? namePrefix : '',
    names: Array.isArray(names) ? names.map(String) : [],
  }
}

function countErrors(
  { replicas, minReady }: NamedSpec,
  maxReplicas: number,
): readonly FieldError[] {
  const detail = `must be at most ${maxReplicas}`
  return [
    ...(replicas > maxReplicas ? [invalidValue('spec.replicas', replicas, detail)] : []),
    ...(minReady > maxReplicas ? [invalidValue('spec.minReady', minReady, detail)] : []),
  ]
}

function adapterErrors(adapters: JsonValue | undefined): readonly FieldError[] {
  const names = Array.isArray(adapters) ? adapters.map(String) : []
  return adapterProblems(names).map(({ member: [, index = 0], text }) =>
    invalidValue(`spec.requiredAdapters[${index}]`, names[Number(index)] ?? '', text),
  )
}

function updateStrategyErrors(strategy: JsonValue | undefined): readonly FieldError[] {
  if (!isJsonObject(strategy) || strategy['rollingUpdate'] === undefined) return []
  const field = 'spec.updateStrategy.rollingUpdate'
  if (strategy['type'] !== 'RollingUpdate') {
    return [forbiddenValue(field, 'may only be set with the type RollingUpdate')]
  }
  const { rollingUpdate } = strategy
  const limit = isJsonObject(rollingUpdate) ? rollingUpdate['maxUnavailable'] : undefined
  const isValid = typeof limit === 'string' ? PERCENTAGE.test(limit) : Number(limit) >= 1
  if (limit === undefined || isValid) return []
  const rule = 'must be a number greater than 0 or a percentage from 1% to 100%'
  return [invalidValue(`${field}.maxUnavailable`, limit, rule)]
}

async function templateErrors(
  rules: ContentRules,
  template: JsonValue | undefined,
  sample: { readonly name: string; readonly index: number },
): Promise<readonly FieldError[]> {
  if (!isJsonObject(template)) return []
  const field = 'spec.template'
  if (template['scenarioRef'] === undefined) {
    return contentErrors(rules, template, { field, sample })
  }
  const others = CONTENT_FIELDS.filter((name) => template[name] !== undefined)
  return others.map((name) =>
    forbiddenValue(`${field}.${name}`, 'may not be set with spec.template.scenarioRef'),
  )
}

/** The member for which placeholders are replaced. */
function sampleOf(fleet: string, { namePrefix, names: [first] }: NamedSpec) {
  const prefix = namePrefix === '' ? defaultPrefix(fleet) : namePrefix
  return { name: first ?? memberName(prefix, 0), index: 0 }
}
