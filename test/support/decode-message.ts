import {
  create,
  createFileRegistry,
  fromBinary,
  type MessageInitShape,
  toJson,
} from '@bufbuild/protobuf'
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt'
import { must } from '../../src/lib/assert.ts'
import type { JsonObject } from '../../src/lib/json/json.ts'
import { objectOf } from '../../src/lib/json/json-fields.ts'
import type { Field, Messages } from '../../src/planes/openapi/gnostic/message-table.ts'

const SCALARS: Readonly<Record<string, FieldDescriptorProto_Type>> = {
  string: FieldDescriptorProto_Type.STRING,
  bool: FieldDescriptorProto_Type.BOOL,
  int64: FieldDescriptorProto_Type.INT64,
  double: FieldDescriptorProto_Type.DOUBLE,
}

/** Decodes a message of the table to its present members. Integers are text. */
export function decodeMessage(messages: Messages, name: string, bytes: Uint8Array): JsonObject {
  const file = create(FileDescriptorProtoSchema, {
    name: 'messages.proto',
    // Members whose values are defaults can be present.
    syntax: 'proto2',
    messageType: Object.entries(messages).map(([message, fields]) => ({
      name: message,
      field: Object.entries(fields).map(fieldOf),
    })),
  })
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }))
  const type = must(registry.getMessage(name), name)
  return objectOf(toJson(type, fromBinary(type, bytes)))
}

function fieldOf([name, [type, number, rule]]: readonly [string, Field]): MessageInitShape<
  typeof FieldDescriptorProtoSchema
> {
  const { REPEATED, OPTIONAL } = FieldDescriptorProto_Label
  return {
    name,
    jsonName: name,
    number,
    label: rule === 'repeated' ? REPEATED : OPTIONAL,
    type: SCALARS[type] ?? FieldDescriptorProto_Type.MESSAGE,
    ...(SCALARS[type] === undefined && { typeName: `.${type}` }),
  }
}
