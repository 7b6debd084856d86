import { InvalidArgumentError } from 'commander'

/** A number of things from an argument, at least 1. */
export function count(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number above 0.')
}
