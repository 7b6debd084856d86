import { recordedBackendOf } from '../../../model/backends/recorded-backend.ts'
import { must } from '../../../../lib/assert.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import type { SandboxOperation } from '../../../storage/sandbox-operation.ts'
import type { Backend } from '../../../model/backends/backend.ts'

/** The snapshot that an operation takes or restores. */
export interface RecordedSnapshot {
  readonly name: string
  readonly uid: string
  readonly backend: Backend
  readonly isBasic: boolean
  readonly freezes: boolean
  /** The answer to the checkpoint. */
  readonly taken: JsonObject
  /** Parameters of the machine, for drivers of the proposal. */
  readonly paths: Readonly<Record<string, string>>
}

/** Reads the snapshot from the results of the operation's steps. */
export function recordedSnapshot({ data, id }: SandboxOperation): RecordedSnapshot {
  const snapshot = record(data['snapshot'])
  const capabilities = record(data['capabilities'])
  const backend = must(recordedBackendOf(data['backend']), `the backend of operation ${id}`)
  return {
    name: text(snapshot['name']),
    uid: text(snapshot['uid']),
    backend,
    isBasic: capabilities['isBasic'] === true,
    freezes: capabilities['freezes'] === true,
    taken: record(data['taken']),
    paths: textMap(data['paths']),
  }
}

export function textMap(value: JsonValue | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(record(value)).map(([key, item]) => [key, text(item)]))
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function record(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
