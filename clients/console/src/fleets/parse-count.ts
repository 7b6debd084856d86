/** A number of members that a user entered, or its error. */
export type ParsedCount =
  | { readonly count: number; readonly problem: null }
  | { readonly count: null; readonly problem: string }

/** Up to seven digits, or groups of three. */
const NUMBER = /^(?:\d{1,7}|\d{1,3}(?:[ ,_]\d{3}){1,2})$/

/** Parses a number of members. The server limits its size. */
export function parseCount(text: string): ParsedCount {
  const trimmed = text.trim()
  if (NUMBER.test(trimmed)) {
    return { count: Number(trimmed.replaceAll(/\D/g, '')), problem: null }
  }
  return { count: null, problem: 'Enter a whole number, 0 or more.' }
}
