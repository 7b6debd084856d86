import protobuf from 'protobufjs/light.js'
import type { Messages } from './message-table.ts'
import { GNOSTIC_MESSAGES } from './gnostic-messages.ts'
import { GNOSTIC_V3_MESSAGES } from './gnostic-v3-messages.ts'

/** Writes parts of messages. */
export const { Writer } = protobuf

const V2 = messageTypes(GNOSTIC_MESSAGES)
const V3 = messageTypes(GNOSTIC_V3_MESSAGES)

/** The messages of whole documents and of their large parts. */
export const GNOSTIC_TYPES = {
  document: V2.lookupType('Document'),
  paths: V2.lookupType('Paths'),
  definitions: V2.lookupType('Definitions'),
  documentV3: V3.lookupType('Document'),
}

function messageTypes(messages: Messages): protobuf.Root {
  const nested = Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [
      name,
      {
        fields: Object.fromEntries(
          Object.entries(message).map(([field, [type, id, rule]]) => [
            field,
            { type, id, ...(rule !== undefined && { rule }) },
          ]),
        ),
      },
    ]),
  )
  return protobuf.Root.fromJSON({ nested })
}
