import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../../lib/json/json-fields.ts'
import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../errors/field-errors.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { FieldError } from '../model/field-error.ts'
import { dnsLabelMessages, dnsSubdomainMessages } from '../native/metadata/name-syntax.ts'
import { EXEMPT, MANDATORY_SCHEMAS } from './default-objects.ts'
import { fixedSpecErrors, rangeErrors } from './object-errors.ts'

const MAX_PRECEDENCE = 10_000
const METHODS = ['ByNamespace', 'ByUser']
const VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
]
/** The field of a subject of each kind. */
const SUBJECT_FIELDS = new Map([
  ['Group', 'group'],
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
])

/** The violations of a flow schema. */
export function flowSchemaErrors(schema: ApiObject): readonly FieldError[] {
  const { name = '' } = schema.metadata
  const spec = objectOf(schema['spec'])
  return [
    ...precedenceErrors(name, numberOf(spec['matchingPrecedence'])),
    ...methodErrors(spec['distinguisherMethod']),
    ...levelErrors(textOf(objectOf(spec['priorityLevelConfiguration'])['name'])),
    ...objectsOf(spec['rules']).flatMap((rule, index) => ruleErrors(`spec.rules[${index}]`, rule)),
    ...fixedSpecErrors(schema, MANDATORY_SCHEMAS.get(name)),
  ]
}

function precedenceErrors(name: string, precedence: number): readonly FieldError[] {
  const field = 'spec.matchingPrecedence'
  const limits = { min: 1, detail: 'must be a positive value' }
  const most = `must not be greater than ${MAX_PRECEDENCE}`
  const reserved = "only the schema named 'exempt' may have matchingPrecedence 1"
  return [
    ...rangeErrors(field, precedence, limits),
    ...rangeErrors(field, precedence, { min: -Infinity, max: MAX_PRECEDENCE, detail: most }),
    ...(precedence === 1 && name !== EXEMPT ? [invalidValue(field, precedence, reserved)] : []),
  ]
}

function methodErrors(method: JsonValue | undefined): readonly FieldError[] {
  if (!isJsonObject(method)) return []
  const type = textOf(method['type'])
  return METHODS.includes(type)
    ? []
    : [unsupportedValue('spec.distinguisherMethod.type', type, METHODS)]
}

function levelErrors(name: string): readonly FieldError[] {
  const field = 'spec.priorityLevelConfiguration.name'
  if (name === '') return [requiredValue(field, 'must reference a priority level')]
  return dnsSubdomainMessages(name).map((message) => invalidValue(field, name, message))
}

function ruleErrors(field: string, rule: JsonObject): readonly FieldError[] {
  const subjects = objectsOf(rule['subjects'])
  const resourceRules = objectsOf(rule['resourceRules'])
  const nonResourceRules = objectsOf(rule['nonResourceRules'])
  const isEmpty = resourceRules.length + nonResourceRules.length === 0
  const empty = 'at least one of resourceRules and nonResourceRules has to be non-empty'
  const none = 'subjects must contain at least one value'
  return [
    ...(subjects.length === 0 ? [requiredValue(`${field}.subjects`, none)] : []),
    ...subjects.flatMap((subject, index) => subjectErrors(`${field}.subjects[${index}]`, subject)),
    ...(isEmpty ? [requiredValue(field, empty)] : []),
    ...resourceRules.flatMap((resource, index) =>
      resourceRuleErrors(`${field}.resourceRules[${index}]`, resource),
    ),
    ...nonResourceRules.flatMap((other, index) =>
      nonResourceRuleErrors(`${field}.nonResourceRules[${index}]`, other),
    ),
  ]
}

function subjectErrors(field: string, subject: JsonObject): readonly FieldError[] {
  const kind = textOf(subject['kind'])
  const own = SUBJECT_FIELDS.get(kind)
  if (own === undefined)
    return [unsupportedValue(`${field}.kind`, kind, [...SUBJECT_FIELDS.keys()])]
  const others = [...SUBJECT_FIELDS].filter(([, name]) => name !== own && name in subject)
  return [
    ...namedErrors(`${field}.${own}`, kind, subject[own]),
    ...others.map(([other, name]) =>
      forbiddenValue(
        `${field}.${name}`,
        `${name} is forbidden when subject kind is not '${other}'`,
      ),
    ),
  ]
}

function namedErrors(
  field: string,
  kind: string,
  value: JsonValue | undefined,
): readonly FieldError[] {
  if (!isJsonObject(value)) {
    const [member] = field.split('.').slice(-1)
    return [requiredValue(field, `${member} is required when subject kind is '${kind}'`)]
  }
  const name = textOf(value['name'])
  const missing = name === '' ? [requiredValue(`${field}.name`)] : []
  if (kind !== 'ServiceAccount') return missing
  const namespace = textOf(value['namespace'])
  const nameMessages = name === '' || name === '*' ? [] : dnsSubdomainMessages(name)
  return [
    ...missing,
    ...nameMessages.map((message) => invalidValue(`${field}.name`, name, message)),
    ...(namespace === ''
      ? [requiredValue(`${field}.namespace`, 'must specify namespace for service account')]
      : dnsLabelMessages(namespace).map((message) =>
          invalidValue(`${field}.namespace`, namespace, message),
        )),
  ]
}

function resourceRuleErrors(field: string, rule: JsonObject): readonly FieldError[] {
  const namespaces = textsOf(rule['namespaces'])
  const isMissing = namespaces.length === 0 && rule['clusterScope'] !== true
  const missing = 'resource rules that are not cluster scoped must supply at least one namespace'
  const syntax = "each member of this list must be '*' or a DNS-1123 label; "
  return [
    ...verbErrors(`${field}.verbs`, textsOf(rule['verbs'])),
    ...listErrors(`${field}.apiGroups`, textsOf(rule['apiGroups']), {
      missing: 'resource rules must supply at least one api group',
      others: 'api groups',
    }),
    ...listErrors(`${field}.resources`, textsOf(rule['resources']), {
      missing: 'resource rules must supply at least one resource',
      others: 'resources',
    }),
    ...(isMissing ? [requiredValue(`${field}.namespaces`, missing)] : []),
    ...(namespaces.includes('*')
      ? wildcardErrors(`${field}.namespaces`, namespaces, 'namespaces')
      : namespaces.flatMap((namespace, index) =>
          dnsLabelMessages(namespace).map((message) =>
            invalidValue(`${field}.namespaces[${index}]`, namespace, syntax + message),
          ),
        )),
  ]
}

function nonResourceRuleErrors(field: string, rule: JsonObject): readonly FieldError[] {
  const urls = textsOf(rule['nonResourceURLs'])
  const listed = listErrors(`${field}.nonResourceURLs`, urls, {
    missing: 'nonResourceURLs must contain at least one value',
    others: 'non-resource URLs',
  })
  const syntax = urls.includes('*')
    ? []
    : urls.flatMap((url, index) => {
        const problem = urlProblem(url)
        if (problem === null) return []
        return [invalidValue(`${field}.nonResourceURLs[${index}]`, url, problem)]
      })
  return [...verbErrors(`${field}.verbs`, textsOf(rule['verbs'])), ...listed, ...syntax]
}

function verbErrors(field: string, verbs: readonly string[]): readonly FieldError[] {
  const missing = 'verbs must contain at least one value'
  const isKnown = verbs.includes('*') || verbs.every((verb) => VERBS.includes(verb))
  return [
    ...listErrors(field, verbs, { missing, others: 'verbs' }),
    ...(isKnown ? [] : [unsupportedValue(field, verbs, VERBS)]),
  ]
}

function listErrors(
  field: string,
  list: readonly string[],
  { missing, others }: { missing: string; others: string },
): readonly FieldError[] {
  return list.length === 0 ? [requiredValue(field, missing)] : wildcardErrors(field, list, others)
}

function wildcardErrors(
  field: string,
  list: readonly string[],
  others: string,
): readonly FieldError[] {
  if (!list.includes('*') || list.length === 1) return []
  return [invalidValue(field, list, `if '*' is present, must not specify other ${others}`)]
}

function urlProblem(url: string): string | null {
  if (url === '') return 'must not be empty'
  if (!url.startsWith('/')) return 'must start with slash'
  if (url.includes(' ')) return 'must not contain white-space'
  if (url.includes('//')) return 'must not contain double slash'
  const star = url.indexOf('*')
  return star === -1 || (star === url.length - 1 && url.endsWith('/*'))
    ? null
    : 'wildcard can only do suffix matching'
}
