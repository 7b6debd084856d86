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
export function typeProblems(type: FieldType, value: JsonValue): readonly string[] {
  const problems: string[] = []
  check(type, value, { path: '', problems })
  return problems.slice(0, MAX_PROBLEMS)
}

interface Report {
  readonly path: string
  readonly problems: string[]
}

function check(type: FieldType, value: JsonValue, report: Report): void {
  if (value === null || report.problems.length >= MAX_PROBLEMS) return
  const shape = shapeOf(type, value)
  if (shape === 'map' && type.map !== null) checkMap(type.map, value, report)
  else if (shape === 'list' && type.list !== null) checkList(type.list, value, report)
  else if (type.scalar !== null) checkScalar(type.scalar, value, report)
}

function checkScalar(type: ScalarType, value: JsonValue, report: Report): void {
  const found = nameOf(value)
  const isScalar = found !== 'list' && found !== 'map'
  if (type === 'untyped' ? isScalar : found === type) return
  const expected = type === 'untyped' ? 'any scalar' : type
  add(report, `expected ${expected}, got ${found}`)
}

function checkMap(type: MapType, value: JsonValue, report: Report): void {
  if (!isJsonObject(value)) {
    add(report, `expected map, got ${nameOf(value)}`)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = { ...report, path: report.path + formatElement(fieldElement(name)) }
    const declared = type.declared(name) ?? type.others
    if (declared === null) add(inner, 'field not declared in schema')
    else check(declared, member, inner)
  }
}

function checkList(type: ListType, value: JsonValue, report: Report): void {
  if (!Array.isArray(value)) {
    add(report, `expected list, got ${nameOf(value)}`)
    return
  }
  const seen = new Set<string>()
  for (const [index, item] of value.entries()) {
    const element = type.relation === 'atomic' ? `i:${index}` : itemElement(type, item)
    if (element === null) {
      add(report, `element ${index}: ${itemProblem(type, item)}`)
      return
    }
    if (seen.has(element)) add(report, `duplicate entries for key ${formatElement(element)}`)
    seen.add(element)
    check(type.items, item, { ...report, path: report.path + formatElement(element) })
  }
}

function add({ path, problems }: Report, problem: string): void {
  problems.push(path === '' ? problem : `${path}: ${problem}`)
}

function nameOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (isJsonNumber(value)) return 'numeric'
  return typeof value === 'object' ? 'map' : typeof value
}
