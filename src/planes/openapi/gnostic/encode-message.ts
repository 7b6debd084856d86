import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { must } from '../../../lib/assert.ts'
import type { Message, Messages } from './message-table.ts'

type Scalar = 'string' | 'bool' | 'int64' | 'double'

const WRITE: Readonly<
  Record<Scalar, (writer: BinaryWriter, field: number, value: unknown) => void>
> = {
  string: (writer, field, value) => {
    writer.tag(field, WireType.LengthDelimited).string(String(value))
  },
  bool: (writer, field, value) => {
    writer.tag(field, WireType.Varint).bool(value === true)
  },
  int64: (writer, field, value) => {
    writer.tag(field, WireType.Varint).int64(integerOf(value))
  },
  double: (writer, field, value) => {
    writer.tag(field, WireType.Bit64).double(Number(value))
  },
}

/** Encodes a message of the table. Members that the table lacks are omitted, and so is null. */
export function encodeMessage(messages: Messages, name: string, message: object): Uint8Array {
  const writer = new BinaryWriter()
  const write = (type: string, content: object): void => {
    const fields: Message = must(messages[type], `the message ${type}`)
    for (const [member, value] of Object.entries(content)) {
      const field = Object.hasOwn(fields, member) ? fields[member] : undefined
      if (field === undefined) continue
      const [memberType, number, rule] = field
      const values: readonly unknown[] =
        rule === 'repeated' && Array.isArray(value) ? value : [value]
      for (const each of values) {
        if (each === undefined || each === null) continue
        if (isScalar(memberType)) WRITE[memberType](writer, number, each)
        else {
          writer.tag(number, WireType.LengthDelimited).fork()
          write(memberType, Object(each))
          writer.join()
        }
      }
    }
  }
  write(name, message)
  return writer.finish()
}

function isScalar(type: string): type is Scalar {
  return Object.hasOwn(WRITE, type)
}

function integerOf(value: unknown): bigint {
  return BigInt.asIntN(64, BigInt(Math.trunc(Number(value))))
}
