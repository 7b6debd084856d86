import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** The wire type of fields with a length: text, bytes, messages and map entries. */
export const LENGTH_DELIMITED = WireType.LengthDelimited

/** A field on the wire: its number and its value before interpretation. */
export interface WireField {
  readonly number: number
  readonly wireType: number
  /** Of varints and fixed numbers; 0 otherwise. */
  readonly integer: bigint
  /** Of fields with a length; empty otherwise. */
  readonly bytes: Uint8Array
}

const NO_BYTES = new Uint8Array()

/** Reads the fields of a message in order. Throws RangeError if the bytes are malformed. */
export function* wireFields(message: Uint8Array): Generator<WireField> {
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) yield readField(reader)
}

/** The reader throws errors of several classes. */
function readField(reader: BinaryReader): WireField {
  try {
    return decodeField(reader)
  } catch (error) {
    throw error instanceof RangeError ? error : new RangeError('malformed field', { cause: error })
  }
}

function decodeField(reader: BinaryReader): WireField {
  const [number, wireType] = reader.tag()
  const field = { number, wireType, integer: 0n, bytes: NO_BYTES }
  switch (wireType) {
    case WireType.Varint:
      return { ...field, integer: BigInt(reader.int64()) }
    case WireType.Bit64:
      return { ...field, integer: BigInt(reader.fixed64()) }
    case WireType.LengthDelimited:
      return { ...field, bytes: reader.bytes() }
    case WireType.Bit32:
      return { ...field, integer: BigInt(reader.fixed32()) }
    default:
      throw new RangeError(`wire type ${wireType}`)
  }
}
