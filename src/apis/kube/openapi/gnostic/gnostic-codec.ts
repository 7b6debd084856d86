import protobuf from 'protobufjs/light.js'
import { GNOSTIC_MESSAGES } from './gnostic-messages.ts'

const PACKAGE = 'openapi.v2'

/** The type of the message that holds a whole document. */
export const GNOSTIC_DOCUMENT = createDocumentType()

function createDocumentType(): protobuf.Type {
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
  return root.lookupType(`${PACKAGE}.Document`)
}
