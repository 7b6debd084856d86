const TAB = 0x09
const LINE_FEED = 0x0a
const VERTICAL_TAB = 0x0b
const FORM_FEED = 0x0c
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
export const DOUBLE_QUOTE = 0x22
export const QUOTE = 0x27
const PLUS = 0x2b
const MINUS = 0x2d
export const DOT = 0x2e
export const SLASH = 0x2f
export const BACKSLASH = 0x5c
const UNDERSCORE = 0x5f
export const BACKTICK = 0x60
const UPPER_E = 0x45
const LOWER_E = 0x65

/** Whether the code unit is white space between tokens. */
export function isBlank(unit: number): boolean {
  return (
    unit === SPACE ||
    unit === TAB ||
    unit === LINE_FEED ||
    unit === VERTICAL_TAB ||
    unit === FORM_FEED ||
    unit === CARRIAGE_RETURN
  )
}

/** `[0-9]` */
export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

/** `[+-]` */
export function isSign(unit: number): boolean {
  return unit === PLUS || unit === MINUS
}

/** `[Ee]` */
export function isExponentMark(unit: number): boolean {
  return unit === UPPER_E || unit === LOWER_E
}

/** `[A-Za-z_]` */
export function isNameStart(unit: number): boolean {
  return (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit === UNDERSCORE
}

/** `[A-Za-z0-9_]` */
export function isNamePart(unit: number): boolean {
  return isNameStart(unit) || isDigit(unit)
}

/** `[A-Za-z0-9_-]` */
export function isSpecKeyPart(unit: number): boolean {
  return isNamePart(unit) || unit === MINUS
}

/** `[A-Za-z0-9_./-]` */
export function isLabelKeyPart(unit: number): boolean {
  return isNamePart(unit) || unit === DOT || unit === SLASH || unit === MINUS
}

/** Whether the code unit is the first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** Whether the code unit is the second half of a surrogate pair. */
export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** The first position at or after `from` whose code unit does not belong to the class. */
export function skip(text: string, from: number, belongs: (unit: number) => boolean): number {
  let at = from
  while (at < text.length && belongs(text.charCodeAt(at))) at += 1
  return at
}
