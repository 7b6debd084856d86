import { InvalidArgumentError } from 'commander'

/** A number of things from an argument, which may be 0. */
export function wholeNumber(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number
  throw new InvalidArgumentError('It must be a whole number.')
}
