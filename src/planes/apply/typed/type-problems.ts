import { endsStep, type Steps } from '../../../lib/async/steps.ts'
import { isJsonNumber, isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { fieldElement, formatElement } from '../fields/path-element.ts'
import {
  type FieldType,
  type ListType,
  type MapType,
  type ScalarType,
  shapeOf,
} from './field-type.ts'
import { itemElement, itemProblem } from './list-elements.ts'

/** Maximum number of reported problems. */
const MAX_PROBLEMS = 10

/** Why a value does not have the type: lines such as `.spec.replicas: expected numeric, got string`. */
export function* typeProblems(type: FieldType, value: JsonValue): Steps<readonly string[]> {
  const problems: string[] = []
  yield* check(type, value, { parent: null, element: '', problems })
  return problems.slice(0, MAX_PROBLEMS)
}

/** A value: the one that contains it, and its element there. Only problems need the whole path. */
interface Report {
  readonly parent: Report | null
  readonly element: string
  readonly problems: string[]
}

function* check(type: FieldType, value: JsonValue, report: Report): Steps<void> {
  if (value === null || report.problems.length >= MAX_PROBLEMS) return
  const shape = shapeOf(type, value)
  if (shape === 'map' && type.map !== null) yield* checkMap(type.map, value, report)
  else if (shape === 'list' && type.list !== null) yield* checkList(type.list, value, report)
  else if (type.scalar !== null) checkScalar(type.scalar, value, report)
}

function checkScalar(type: ScalarType, value: JsonValue, report: Report): void {
  if (isOfScalar(type, value)) return
  const expected = type === 'untyped' ? 'any scalar' : type
  add(report, `expected ${expected}, got ${nameOf(value)}`)
}

function isOfScalar(type: ScalarType, value: JsonValue): boolean {
  const found = nameOf(value)
  return type === 'untyped' ? found !== 'list' && found !== 'map' : found === type
}

/** Whether a value needs no report, as most members and items. */
function isValidScalar({ scalar }: FieldType, value: JsonValue): boolean {
  return (
    value === null || (scalar !== null && typeof value !== 'object' && isOfScalar(scalar, value))
  )
}

function* checkMap(type: MapType, value: JsonValue, report: Report): Steps<void> {
  if (!isJsonObject(value)) {
    add(report, `expected map, got ${nameOf(value)}`)
    return
  }
  const { problems } = report
  for (const name of Object.keys(value)) {
    if (endsStep()) yield
    const member = value[name] ?? null
    const declared = type.declared(name) ?? type.others
    if (declared !== null && isValidScalar(declared, member)) continue
    const inner = { parent: report, element: fieldElement(name), problems }
    if (declared === null) add(inner, 'field not declared in schema')
    else yield* check(declared, member, inner)
  }
}

function* checkList(type: ListType, value: JsonValue, report: Report): Steps<void> {
  if (!Array.isArray(value)) {
    add(report, `expected list, got ${nameOf(value)}`)
    return
  }
  const { problems } = report
  const seen = new Set<string>()
  for (const [index, item] of value.entries()) {
    if (endsStep()) yield
    const element = type.relation === 'atomic' ? `i:${index}` : itemElement(type, item)
    if (element === null) {
      add(report, `element ${index}: ${itemProblem(type, item)}`)
      return
    }
    if (seen.has(element)) add(report, `duplicate entries for key ${formatElement(element)}`)
    seen.add(element)
    if (!isValidScalar(type.items, item)) {
      yield* check(type.items, item, { parent: report, element, problems })
    }
  }
}

function add(report: Report, problem: string): void {
  const path = pathOf(report)
  report.problems.push(path === '' ? problem : `${path}: ${problem}`)
}

function pathOf({ parent, element }: Report): string {
  return parent === null ? '' : pathOf(parent) + formatElement(element)
}

function nameOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (isJsonNumber(value)) return 'numeric'
  return typeof value === 'object' ? 'map' : typeof value
}
