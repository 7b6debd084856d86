/** The type and number of a field. A `repeated` field is a list. */
export type Field = readonly [type: string, number: number, rule?: 'repeated']

/** The fields of a message by name. */
export type Message = Readonly<Record<string, Field>>

/** Messages by name. */
export type Messages = Readonly<Record<string, Message>>

/** A message with a name and a value. */
export const namedMessage = (type: string): Message => ({ name: ['string', 1], value: [type, 2] })

/** A message that is a list. */
export const listMessage = (type: string): Message => ({
  additionalProperties: [type, 1, 'repeated'],
})
