import type { FieldError } from '../model/field-error.ts'
import { invalidValue, tooLong } from '../errors/field-errors.ts'

const MAX_BYTES = 128

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

/** The name of a manager that states none: the product of its `User-Agent`. */
export function defaultManager(userAgent: string | undefined): string {
  const [product = ''] = (userAgent ?? '').split('/')
  let name = ''
  let bytes = 0
  for (const character of product) {
    if (UNPRINTABLE.test(character)) continue
    bytes += Buffer.byteLength(character)
    if (bytes > MAX_BYTES) break
    name += character
  }
  return name
}

/** Violations of the rules for the parameter `fieldManager`. */
export function managerNameErrors(name: string): readonly FieldError[] {
  const field = 'fieldManager'
  const errors: FieldError[] = []
  if (Buffer.byteLength(name) > MAX_BYTES) errors.push(tooLong(field, MAX_BYTES))
  const unprintable = UNPRINTABLE.exec(name)
  if (unprintable !== null) {
    const at = Buffer.byteLength(name.slice(0, unprintable.index))
    const code = (name.codePointAt(unprintable.index) ?? 0).toString(16).toUpperCase()
    const detail = `invalid character U+${code.padStart(4, '0')} (at position ${at})`
    errors.push(invalidValue(field, name, detail))
  }
  return errors
}
