import type { JsonObject } from '../../lib/json/json.ts'
import type { SdkDocument } from './declaration.ts'
import { emitPython } from './emit-python.ts'
import { emitTypescript } from './emit-typescript.ts'
import { readDocument } from './read-document.ts'

interface Emitter {
  readonly fileOf: (document: string) => string
  readonly emit: (document: SdkDocument) => string
}

/** One row per SDK. */
const EMITTERS: readonly Emitter[] = [
  {
    fileOf: (document) => `clients/typescript/src/generated/${document}.ts`,
    emit: emitTypescript,
  },
  {
    fileOf: (document) => `clients/python/src/flotilla/types/${document}.py`,
    emit: emitPython,
  },
]

/** The generated types of all SDKs, by path. The documents are named for their modules. */
export function sdkFiles(
  documents: Readonly<Record<string, JsonObject>>,
): readonly (readonly [string, string])[] {
  const read = Object.entries(documents).map(([name, document]) => readDocument(name, document))
  return EMITTERS.flatMap(({ fileOf, emit }) => {
    return read.map((document) => [fileOf(document.name), emit(document)] as const)
  })
}
