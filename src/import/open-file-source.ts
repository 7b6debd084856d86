import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json/json.ts'
import { textOf } from '../lib/json/json-fields.ts'
import { ImportError } from './import-error.ts'
import type { Source } from './source.ts'

const PAGE_SIZE = 500

/** Opens a file of `flotilla export`. Each pass over the resources of a kind reads it to the end. */
export function openFileSource(file: string): Source {
  return {
    title: file,
    unlisted: new Set(),
    mayHideTenants: false,
    count: async () => {
      const totals = new Map<string, number>()
      for await (const resource of resourcesIn(file)) {
        const kind = textOf(resource['kind'])
        totals.set(kind, (totals.get(kind) ?? 0) + 1)
      }
      return totals
    },
    remarks: () => Promise.resolve([]),
    pages: async function* pages({ kind }) {
      let page: JsonObject[] = []
      for await (const resource of resourcesIn(file)) {
        if (resource['kind'] !== kind) continue
        page.push(resource)
        if (page.length < PAGE_SIZE) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

async function* resourcesIn(file: string): AsyncGenerator<JsonObject, void, undefined> {
  let number = 0
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  })) {
    number += 1
    if (line !== '') yield resourceIn(line, `${file}, line ${number}`)
  }
}

function resourceIn(line: string, place: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(line)
    if (isJsonObject(value)) return value
  } catch {
    // The error below names the line.
  }
  throw new ImportError(`${place}: not a JSON object`)
}
