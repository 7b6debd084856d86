import protobuf from 'protobufjs/minimal.js'

/** The wire type of fields with a length: text, bytes, messages and map entries. */
export const LENGTH_DELIMITED = 2

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
  const reader = protobuf.Reader.create(message)
  while (reader.pos < reader.len) yield readField(reader)
}

/** The reader throws errors of several classes. */
function readField(reader: protobuf.Reader): WireField {
  try {
    return decodeField(reader)
  } catch (error) {
    throw error instanceof RangeError ? error : new RangeError('malformed field', { cause: error })
  }
}

function decodeField(reader: protobuf.Reader): WireField {
  const tag = reader.uint32()
  const number = tag >>> 3
  const wireType = tag & 7
  if (number === 0) throw new RangeError('field number 0')
  const field = { number, wireType, integer: 0n, bytes: NO_BYTES }
  switch (wireType) {
    case 0:
      return { ...field, integer: integerOf(reader.int64()) }
    case 1:
      return { ...field, integer: integerOf(reader.fixed64()) }
    case LENGTH_DELIMITED:
      return { ...field, bytes: reader.bytes() }
    case 5:
      return { ...field, integer: BigInt(reader.fixed32()) }
    default:
      throw new RangeError(`wire type ${wireType}`)
  }
}

function integerOf(value: { readonly high: number; readonly low: number } | number): bigint {
  if (typeof value === 'number') return BigInt(value)
  return (BigInt(value.high) << 32n) | BigInt(value.low >>> 0)
}
