import { readFile } from 'node:fs/promises'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { errorMessage } from '../../lib/error-message.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import type { FieldPath } from '../../lib/json/field-path.ts'
import { KindsFileError } from './kinds-file-error.ts'

/** The values of a YAML or JSON file, with their lines. */
export interface YamlFile {
  readonly value: JsonValue
  /** The line of a value, counted from 1; the line of its nearest parent if the value is missing. */
  lineOf(path: FieldPath): number
}

/** Reads a file. Throws a KindsFileError if it cannot be read or parsed. */
export async function readYamlFile(file: string): Promise<YamlFile> {
  const lines = new LineCounter()
  const document = parseDocument(await readText(file), { lineCounter: lines, prettyErrors: false })
  const faults = [...document.errors, ...document.warnings].map(({ message, pos: [start] }) => {
    return `${file}:${lines.linePos(start).line}: is not valid YAML: ${message}`
  })
  if (faults.length > 0) throw new KindsFileError(faults)
  return {
    value: jsonOf(document, file),
    lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new KindsFileError([`${file}: cannot be read: ${errorMessage(error)}`])
  }
}

/** Aliases can make a document infinite or too large for JSON. */
function jsonOf(document: Document, file: string): JsonValue {
  try {
    const value: unknown = document.toJS()
    return JSON.parse(JSON.stringify(value ?? null))
  } catch (error) {
    throw new KindsFileError([`${file}:1: does not convert to JSON: ${errorMessage(error)}`])
  }
}

/** The start of the deepest existing node on a path. */
function offsetOf(document: Document, path: FieldPath): number {
  let node: unknown = document.contents
  let offset = 0
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document)
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step)
      if (!pair) return offset
      offset = startOf(pair.key) ?? offset
      node = pair.value
    } else if (isSeq(node) && typeof step === 'number') {
      node = node.items[step]
      offset = startOf(node) ?? offset
    }
  }
  return offset
}

function startOf(node: unknown): number | null {
  return (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) && node.range
    ? node.range[0]
    : null
}
