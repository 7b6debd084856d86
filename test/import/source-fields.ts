import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json/json.ts'
import { objectOf, objectsOf, textOf } from '../../src/lib/json/json-fields.ts'
import { AGGREGATED_TYPES } from '../../src/store/model/condition.ts'
import type { Version } from './recorded.ts'

/** The literals and operators of a field; `scalar` is a number or boolean of the spec as text. */
export type FieldType = 'text' | 'scalar' | 'number' | 'time' | 'status' | 'document'

/** A field of searches, beside its value in the tables of HyperFleet. */
export interface SourceField {
  readonly name: string
  readonly type: FieldType
  /** The SQL expression into which that version of HyperFleet translates the name. */
  readonly column: string
  /** The different values in the resources, without null. */
  readonly values: readonly string[]
  /** Whether a search can compare it with another field of the same type. */
  readonly isComparable: boolean
}

type Column = (key: string) => string

/** The SQL of a label, and of a part of a condition, whose row is `found`. */
const COLUMNS: Readonly<
  Record<Version, { readonly label: Column; readonly condition: (part: string) => Column }>
> = {
  'v0.1.1': {
    label: (key) => `found.labels ->> '${key}'`,
    condition: (part) => (type) =>
      `(jsonb_path_query_first(found.status_conditions, '$[*] ? (@.type == "${type}")') ->> '${part}')`,
  },
  main: {
    label: (key) =>
      `(select value from resource_labels where resource_id = found.id and key = '${key}')`,
    condition: (part) => (type) =>
      `(select ${part} from resource_conditions where resource_id = found.id and type = '${type}')`,
  },
}

const AGGREGATED: ReadonlySet<string> = new Set(AGGREGATED_TYPES)

/**
 * The fields of recorded resources of one kind. Without those whose results differ by the rows of
 * docs/coming-from-hyperfleet.md, such as the `last_updated_time` of aggregated conditions.
 */
export function sourceFields(
  version: Version,
  resources: readonly JsonObject[],
): readonly SourceField[] {
  return [
    ...rowFields(version, resources),
    ...labelFields(version, resources),
    ...specFields(
      resources.map(({ spec }) => objectOf(spec)),
      [],
    ),
    ...conditionFields(version, resources),
  ]
}

function rowFields(version: Version, resources: readonly JsonObject[]): readonly SourceField[] {
  const column = (name: string, type: FieldType): SourceField =>
    field(name, type, `found.${name}`, valuesOf(resources.map((each) => each[name])))
  const isChild = resources.some((each) => 'owner_references' in each)
  const owners = valuesOf(resources.map((each) => objectOf(each['owner_references'])['id']))
  return [
    ...['id', 'name', 'kind', 'created_by', 'updated_by'].map((name) => column(name, 'text')),
    ...(isChild ? [field('owner_id', 'text', 'found.owner_id', owners)] : [column('href', 'text')]),
    ...['created_time', 'updated_time'].map((name) => column(name, 'time')),
    { ...column('generation', 'number'), isComparable: false },
    ...(version === 'main' ? [column('deleted_time', 'time'), column('deleted_by', 'text')] : []),
  ]
}

function labelFields(version: Version, resources: readonly JsonObject[]): readonly SourceField[] {
  const labels = resources.map((each) => objectOf(each['labels']))
  return [...keysOf(labels), 'absent'].map((key) =>
    field(
      `labels.${key}`,
      'text',
      COLUMNS[version].label(key),
      valuesOf(labels.map((each) => each[key])),
    ),
  )
}

/** A path with numbers or booleans is a field twice, because a search can compare them as texts. */
function specFields(
  values: readonly JsonObject[],
  path: readonly string[],
): readonly SourceField[] {
  return keysOf(values).flatMap((key): readonly SourceField[] => {
    const found = values.map((each) => each[key])
    const inner = found.filter((value): value is JsonObject => isJsonObject(value ?? null))
    const full = [...path, key]
    const name = `spec.${full.join('.')}`
    const column = `found.spec ${full.map((one, at) => `${at === path.length ? '->>' : '->'} '${one}'`).join(' ')}`
    const texts = valuesOf(found)
    if (inner.length > 0) return [field(name, 'document', column, []), ...specFields(inner, full)]
    if (found.some(Array.isArray)) return [field(name, 'document', column, [])]
    if (!found.some(isScalar)) return [field(name, 'text', column, texts)]
    const scalar = field(name, 'scalar', column, texts)
    if (found.some((value) => typeof value === 'boolean')) return [scalar]
    return [
      scalar,
      { ...field(name, 'number', `cast(${column} as numeric)`, texts), isComparable: false },
    ]
  })
}

function conditionFields(
  version: Version,
  resources: readonly JsonObject[],
): readonly SourceField[] {
  const { condition } = COLUMNS[version]
  const all = resources.flatMap((each) => objectsOf(objectOf(each['status'])['conditions']))
  const types = [...new Set(all.map(({ type }) => textOf(type))), 'Absent']
  return types.flatMap((type): readonly SourceField[] => {
    const partOf = (part: string, fieldType: FieldType, cast: string): SourceField => ({
      name: `status.conditions.${type}${part === 'status' ? '' : `.${part}`}`,
      type: fieldType,
      column: `${condition(part)(type)}${cast}`,
      values: valuesOf(all.filter((each) => each['type'] === type).map((each) => each[part])),
      isComparable: false,
    })
    return [
      partOf('status', 'status', ''),
      partOf('observed_generation', 'number', '::integer'),
      // v0.1 stores nine digits.
      ...(version === 'main' ? [partOf('last_transition_time', 'time', '')] : []),
      ...(version === 'main' && !AGGREGATED.has(type)
        ? [partOf('last_updated_time', 'time', '')]
        : []),
    ]
  })
}

/** Texts are ordered by code point. */
function field(
  name: string,
  type: FieldType,
  column: string,
  values: readonly string[],
): SourceField {
  const isText = type === 'text' || type === 'scalar'
  const sql = isText ? `(${column}) collate "C"` : column
  return { name, type, column: sql, values, isComparable: type === 'text' || type === 'time' }
}

function isScalar(value: JsonValue | undefined): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

function keysOf(objects: readonly JsonObject[]): readonly string[] {
  return [...new Set(objects.flatMap((each) => Object.keys(each)))]
}

function valuesOf(values: readonly (JsonValue | undefined)[]): readonly string[] {
  const texts = values.flatMap((value) =>
    typeof value === 'string' ? [value] : isScalar(value) ? [String(value)] : [],
  )
  return [...new Set(texts)]
}
