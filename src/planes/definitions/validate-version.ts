import type { Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { isSameJson } from '../../lib/json/same-json.ts'
import { duplicateValue, invalidValue, requiredValue, tooMany } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import { structuralErrors } from '../schemas/structural/structural-errors.ts'
import type { DefinitionVersion } from './definition.ts'
import { labelProblem } from './validate-names.ts'
import { objectOf, textOf } from '../../lib/json/json-fields.ts'

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string']
const COLUMN_FORMATS = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
]
const MAX_WARNING = 256
const MAX_SELECTABLE_FIELDS = 8

/** The violations of one version. Schemas that an update does not change are not checked again. */
export function* versionErrors(
  version: DefinitionVersion,
  old: DefinitionVersion | null,
  path: string,
): Steps<readonly FieldError[]> {
  const problem = labelProblem(version.name)
  return [
    ...(problem === null ? [] : [invalidValue(`${path}.name`, version.name, problem)]),
    ...deprecationErrors(version, path),
    ...(yield* schemaErrors(version, old, `${path}.schema.openAPIV3Schema`)),
    ...scaleErrors(version.subresources, `${path}.subresources`),
    ...version.printerColumns.flatMap((column, at) => {
      return columnErrors(column, `${path}.additionalPrinterColumns[${at}]`)
    }),
    ...selectableFieldErrors(version, `${path}.selectableFields`),
  ]
}

function deprecationErrors(
  { isDeprecated, deprecationWarning: text }: DefinitionVersion,
  path: string,
): readonly FieldError[] {
  if (text === '') return []
  const field = `${path}.deprecationWarning`
  if (!isDeprecated) return [invalidValue(field, text, 'can only be set for deprecated versions')]
  if (text.length > MAX_WARNING)
    return [invalidValue(field, text, 'must be <= 256 characters long')]
  if (!/\p{C}/u.test(text)) return []
  return [invalidValue(field, text, 'must only contain printable UTF-8 characters')]
}

function* schemaErrors(
  { schema }: DefinitionVersion,
  old: DefinitionVersion | null,
  path: string,
): Steps<readonly FieldError[]> {
  if (Object.keys(schema).length === 0) return [requiredValue(path)]
  return old !== null && isSameJson(schema, old.schema) ? [] : yield* structuralErrors(schema, path)
}

function scaleErrors(subresources: JsonObject, path: string): readonly FieldError[] {
  if (!isJsonObject(subresources['scale'])) return []
  const scale = objectOf(subresources['scale'])
  const selector = textOf(scale['labelSelectorPath'])
  return [
    ...pathErrors(scale, `${path}.scale.specReplicasPath`, ['.spec.']),
    ...pathErrors(scale, `${path}.scale.statusReplicasPath`, ['.status.']),
    ...(selector === ''
      ? []
      : pathErrors(scale, `${path}.scale.labelSelectorPath`, ['.spec.', '.status.'])),
  ]
}

function pathErrors(
  scale: JsonObject,
  field: string,
  prefixes: readonly string[],
): readonly FieldError[] {
  const value = textOf(scale[field.slice(field.lastIndexOf('.') + 1)])
  if (value === '') return [requiredValue(field)]
  if (!value.startsWith('.')) {
    return [invalidValue(field, value, 'must be a simple json path starting with .')]
  }
  if (prefixes.some((prefix) => value.startsWith(prefix))) return []
  const [first = '', second] = prefixes.map((prefix) => prefix.slice(0, -1))
  const parents = second === undefined ? first : `either ${first} or ${second}`
  return [invalidValue(field, value, `should be a json path under ${parents}`)]
}

function columnErrors(column: JsonObject, path: string): readonly FieldError[] {
  const type = textOf(column['type'])
  const format = textOf(column['format'])
  const jsonPath = textOf(column['jsonPath'])
  const types = `must be one of ${COLUMN_TYPES.join(',')}`
  const errors: FieldError[] = []
  if (textOf(column['name']) === '') errors.push(requiredValue(`${path}.name`))
  if (type === '') errors.push(requiredValue(`${path}.type`, types))
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalidValue(`${path}.type`, type, types))
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    const detail = `must be one of ${COLUMN_FORMATS.join(',')}`
    errors.push(invalidValue(`${path}.format`, format, detail))
  }
  if (jsonPath === '') errors.push(requiredValue(`${path}.jsonPath`))
  else if (!jsonPath.startsWith('.')) {
    const detail = 'must be a simple json path starting with .'
    errors.push(invalidValue(`${path}.jsonPath`, jsonPath, detail))
  }
  return errors
}

function selectableFieldErrors(
  { selectableFields, schema }: DefinitionVersion,
  path: string,
): readonly FieldError[] {
  const distinct = new Set(selectableFields)
  const seen = new Set<JsonValue>()
  const errors = selectableFields.flatMap((jsonPath, at): FieldError[] => {
    const field = `${path}[${at}].jsonPath`
    if (jsonPath === '') return [requiredValue(field)]
    if (seen.has(jsonPath)) return [duplicateValue(field, jsonPath)]
    seen.add(jsonPath)
    const problem = selectedFieldProblem(jsonPath, schema)
    return problem === null ? [] : [invalidValue(field, jsonPath, problem)]
  })
  if (distinct.size <= MAX_SELECTABLE_FIELDS) return errors
  return [...errors, tooMany(path, distinct.size, MAX_SELECTABLE_FIELDS)]
}

/** The problem of the path of a selectable field; null if it is valid for the schema. */
function selectedFieldProblem(jsonPath: string, schema: JsonObject): string | null {
  if (!/^(?:\.[^.[\]]+)+$/.test(jsonPath)) return 'is an invalid path: expected . and a field name'
  const steps = jsonPath.split('.').slice(1)
  if (steps[0] === 'metadata') return 'must not point to fields in metadata'
  let current = schema
  for (const step of steps) {
    const properties = objectOf(current['properties'])
    if (!Object.hasOwn(properties, step))
      return 'is an invalid path: does not refer to a valid field'
    current = objectOf(properties[step])
  }
  if (['string', 'boolean', 'integer'].includes(textOf(current['type']))) return null
  return 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
}
