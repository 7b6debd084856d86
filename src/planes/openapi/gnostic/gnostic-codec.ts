import protobuf from 'protobufjs/light.js'
import { GNOSTIC_MESSAGES } from './gnostic-messages.ts'

const PACKAGE = 'openapi.v2'

/** Writes parts of messages. */
export const { Writer } = protobuf

/** The messages of whole documents and of their large parts. */
export const GNOSTIC_TYPES = createTypes()

function createTypes() {
  const nested = Object.fromEntries(
    Object.entries(GNOSTIC_MESSAGES).map(([name, message]) => [
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
  const root = protobuf.Root.fromJSON({ nested: { openapi: { nested: { v2: { nested } } } } })
  return {
    document: root.lookupType(`${PACKAGE}.Document`),
    paths: root.lookupType(`${PACKAGE}.Paths`),
    definitions: root.lookupType(`${PACKAGE}.Definitions`),
  }
}
