import { readFile } from 'node:fs/promises'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { errorMessage } from '../../../lib/error-message.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import type { MemberPath } from '../../../lib/json/member-path.ts'
import { EntitiesError } from './entities-error.ts'

/** What a YAML or JSON file says, and on which lines. */
export interface YamlFile {
  readonly value: JsonValue
  /** The line of a value, counted from 1: of the nearest one around it where it is not there. */
  lineOf(path: MemberPath): number
}

/** Reads a file; what is wrong with it as a file is an EntitiesError. */
export async function readYamlFile(file: string): Promise<YamlFile> {
  const lines = new LineCounter()
  const document = parseDocument(await readText(file), { lineCounter: lines, prettyErrors: false })
  const faults = [...document.errors, ...document.warnings].map(({ message, pos: [start] }) => {
    return `${file}:${lines.linePos(start).line}: is not YAML that can be read: ${message}`
  })
  if (faults.length > 0) throw new EntitiesError(faults)
  return {
    value: jsonOf(document, file),
    lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new EntitiesError([`${file}: cannot be read: ${errorMessage(error)}`])
  }
}

/** Aliases may make of a document what no JSON is: without an end, or too long. */
function jsonOf(document: Document, file: string): JsonValue {
  try {
    const value: unknown = document.toJS()
    return JSON.parse(JSON.stringify(value ?? null))
  } catch (error) {
    throw new EntitiesError([`${file}:1: is not a tree of values: ${errorMessage(error)}`])
  }
}

/** Where the last step of a path begins that is in the document. */
function offsetOf(document: Document, path: MemberPath): number {
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
