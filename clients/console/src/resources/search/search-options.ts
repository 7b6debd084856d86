import { labelField, quoted, type SearchOption } from './search-option.ts'
import type { SearchPlace } from './search-place.ts'

/** The words of the server that completion offers. */
export interface SearchVocabulary {
  readonly labelKeys: readonly string[]
  /** The values of the label at the cursor. */
  readonly labelValues: readonly string[]
  /** The types of conditions that the shown resources have. */
  readonly conditionTypes: readonly string[]
  readonly hasParent: boolean
}

const LIMIT = 12

const FIELDS: readonly SearchOption[] = [
  { label: 'name', insert: 'name ', detail: 'text' },
  { label: 'id', insert: 'id ', detail: 'text' },
  { label: 'generation', insert: 'generation ', detail: 'number' },
  { label: 'created_time', insert: 'created_time ', detail: 'time' },
  { label: 'updated_time', insert: 'updated_time ', detail: 'time' },
  { label: 'deleted_time', insert: 'deleted_time ', detail: 'time, absent on live resources' },
  { label: 'deleted_by', insert: 'deleted_by ', detail: 'text, absent on live resources' },
  { label: 'created_by', insert: 'created_by ', detail: 'text' },
  { label: 'updated_by', insert: 'updated_by ', detail: 'text' },
  { label: 'spec.', insert: 'spec.', detail: 'any path of the spec' },
]

const TEXT_OPERATORS = ['=', '!=', 'in', 'like', 'ilike', 'not in', 'is null', 'is not null']
const ORDER_OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'between', 'is null', 'is not null']
const CONDITION_OPERATORS = ['=', '!=', 'in', 'is null', 'is not null']
const ORDERED =
  /^(generation|(created|updated|deleted)_time|.*\.(last_\w+_time|observed_generation))$/

const DETAILS: Readonly<Record<string, string>> = {
  in: 'one of several',
  like: '% matches any text',
  ilike: 'like, in either letter case',
  between: 'from a value to another',
}

/** The completions at a place, the best first. */
export function searchOptions(
  place: SearchPlace,
  vocabulary: SearchVocabulary,
): readonly SearchOption[] {
  const found = matching(candidates(place, vocabulary), place)
  return [...found.slice(0, LIMIT), ...(place.expects === 'field' ? nameOptions(place.prefix) : [])]
}

function candidates(place: SearchPlace, vocabulary: SearchVocabulary): readonly SearchOption[] {
  switch (place.expects) {
    case 'field':
      return fieldOptions(vocabulary)
    case 'operator':
      return operatorsOf(place.field).map(operatorOption)
    case 'value':
      return valueOptions(place, vocabulary)
    case 'list':
      return [{ label: '(', insert: '(', detail: 'values, separated by commas' }]
    case 'null':
      return [
        { label: 'null', insert: 'null ' },
        { label: 'not null', insert: 'not null ' },
      ]
    case 'connective':
      return [
        { label: 'and', insert: 'and ' },
        { label: 'or', insert: 'or ' },
      ]
    default:
      return []
  }
}

/** Labels and conditions come first, because most searches are about them. */
function fieldOptions(vocabulary: SearchVocabulary): readonly SearchOption[] {
  const { labelKeys, conditionTypes, hasParent } = vocabulary
  const labels = labelKeys.map((key) => ({
    label: labelField(key),
    insert: `${labelField(key)} `,
    detail: 'label',
  }))
  const conditions = conditionTypes.map((type) => ({
    label: `status.conditions.${type}`,
    insert: `status.conditions.${type} `,
    detail: 'condition',
  }))
  const parents = hasParent ? [{ label: 'owner_id', insert: 'owner_id ', detail: 'text' }] : []
  return [...conditions, ...labels, ...FIELDS, ...parents]
}

/** A word that is no field is most often the name of a resource. */
function nameOptions(prefix: string): readonly SearchOption[] {
  if (!/^[\w-]{2,}$/.test(prefix)) return []
  const pattern = quoted(`${prefix.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`)
  return [{ label: `name like ${pattern}`, insert: `name like ${pattern} `, detail: 'by name' }]
}

function operatorsOf(field: string): readonly string[] {
  if (ORDERED.test(field)) return ORDER_OPERATORS
  if (field.startsWith('status.conditions.')) return CONDITION_OPERATORS
  if (field.startsWith('spec.')) return [...ORDER_OPERATORS, 'in', 'like', 'ilike']
  return TEXT_OPERATORS
}

function operatorOption(operator: string): SearchOption {
  const insert = operator === 'in' || operator === 'not in' ? `${operator} (` : `${operator} `
  return { label: operator, insert, detail: DETAILS[operator] }
}

function valueOptions(
  { field, isInList }: SearchPlace,
  { labelValues }: SearchVocabulary,
): readonly SearchOption[] {
  const end = isInList ? '' : ' '
  const option = (value: string) => ({ label: value, insert: `${quoted(value)}${end}` })
  if (field.startsWith('labels.')) return labelValues.map(option)
  if (/^status\.conditions\.[^.]+$/.test(field)) return ['True', 'False'].map(option)
  return []
}

function matching(
  options: readonly SearchOption[],
  { prefix, expects }: SearchPlace,
): readonly SearchOption[] {
  const wanted = prefix.replace(/^'/, '').toLowerCase()
  if (wanted === '') return options
  const rank = ({ label }: SearchOption): number => {
    const text = label.toLowerCase()
    if (text.startsWith(wanted)) return 0
    if (text.split(/[./]/).some((part) => part.startsWith(wanted))) return 1
    return expects !== 'connective' && text.includes(wanted) ? 2 : 3
  }
  const ranked = options.map((option) => ({ option, rank: rank(option) }))
  return ranked
    .filter((one) => one.rank < 3 && one.option.insert.trim() !== prefix)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ option }) => option)
}
