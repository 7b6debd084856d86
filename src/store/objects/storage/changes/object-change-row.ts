import { isJsonObject, type JsonObject } from '../../../../lib/json/json.ts'
import type { BodyCodec, CodecOf } from '../../model/body-codec.ts'
import type { ObjectChange } from '../../model/object-change.ts'
import type { SearchedFields } from '../../model/object-write.ts'
import type { ObjectKey } from '../../model/stored-object.ts'
import { jsonText, parseJsonText } from '../../../../lib/json/json-text.ts'

/** An entry of the log: a change, or the end of a plane. */
export type LogEntry = ObjectChange | RemovedPlane

/** The plane was removed with all its objects. */
export interface RemovedPlane {
  readonly type: 'REMOVED'
  readonly sequence: bigint
  readonly plane: string
  readonly revision: bigint
}

/** The select list of a ChangeRow. */
export const CHANGE_COLUMNS = `
  changes.sequence, changes.type, changes.plane, changes.resource, changes.namespace, changes.name,
  changes.uid, changes.revision, changes.body::text as body,
  changes.managed_fields::text as managed_fields, changes.labels, changes.before`

/** A row of `object_changes`. */
export interface ChangeRow {
  readonly sequence: bigint
  readonly type: ObjectChange['type'] | 'REMOVED'
  readonly plane: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly revision: bigint
  readonly body: string
  readonly managed_fields: string
  readonly labels: Readonly<Record<string, string>>
  readonly before: SearchedFields | null
}

/** Converts a row of the log. */
export function entryOf(row: ChangeRow, codecOf: CodecOf): LogEntry {
  const { sequence, type, plane, resource, namespace, name, uid, revision, labels, before } = row
  if (type === 'REMOVED') return { type, sequence, plane, revision }
  const key = { plane, resource, namespace, name }
  return {
    ...key,
    sequence,
    revision,
    type,
    uid,
    body: decodedBody(key, row.body, codecOf(resource)),
    managedFields: row.managed_fields,
    labels,
    before,
  }
}

/**
 * A body that cannot be decoded stays in its stored form, with readable metadata: one object must
 * not stop the log of all planes.
 */
function decodedBody(key: ObjectKey, body: string, codec: BodyCodec | null): string {
  if (codec === null) return body
  try {
    return jsonText(codec.decode(key, parsed(body)))
  } catch {
    return body
  }
}

function parsed(text: string): JsonObject {
  const value = parseJsonText(text)
  return isJsonObject(value) ? value : {}
}
