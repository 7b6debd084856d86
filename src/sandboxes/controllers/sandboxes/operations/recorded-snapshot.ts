import { type JsonObject, type JsonValue, must, objectOf, textOf } from 'flotilla'
import { recordedBackendOf } from '../../../model/backends/recorded-backend.ts'
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
  const snapshot = objectOf(data['snapshot'])
  const capabilities = objectOf(data['capabilities'])
  const backend = must(recordedBackendOf(data['backend']), `the backend of operation ${id}`)
  return {
    name: textOf(snapshot['name']),
    uid: textOf(snapshot['uid']),
    backend,
    isBasic: capabilities['isBasic'] === true,
    freezes: capabilities['freezes'] === true,
    taken: objectOf(data['taken']),
    paths: textMap(data['paths']),
  }
}

export function textMap(value: JsonValue | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([key, item]) => [key, textOf(item)]),
  )
}
