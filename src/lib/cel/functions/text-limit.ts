import { CelError, StepLimitError } from '../cel-error.ts'
import { type Spend, STEPS_PER_ITEM } from '../values/compare-values.ts'
import type { CelValue } from '../values/value.ts'
import { textAt } from './arguments.ts'

/** The longest text that a function reads or makes, in UTF-16 units. Objects have at most 1.5 MiB. */
const MAX_TEXT = 2 * 1024 * 1024

/** The steps of one call that cannot pause. */
const MAX_CALL = 250_000

/** Charges for a text before it is read or made. */
export function spendText(length: number, spend: Spend): void {
  spend(Math.ceil(length * STEPS_PER_ITEM))
  if (length > MAX_TEXT) throw new CelError(`the text has more than ${MAX_TEXT} characters`)
}

/** Charges for a call that cannot pause. */
export function spendCall(steps: number, spend: Spend): void {
  spend(steps)
  limitCall(steps)
}

/** Throws if a call that cannot pause would take more than the steps of one. */
export function limitCall(steps: number): void {
  if (steps <= MAX_CALL) return
  throw new StepLimitError(
    `call cost limit exceeded: one call would take ${steps} steps, more than ${MAX_CALL}`,
  )
}

/** Charges for the search of a part in a text: each character of one may be compared with the other. */
export function spendSearch(text: string, part: string, spend: Spend): void {
  const [length, factor] = [text.length, part.length].map((size) =>
    Math.ceil(size * STEPS_PER_ITEM),
  )
  spendCall((length ?? 0) * Math.max(1, factor ?? 0), spend)
}

/** A text argument, charged by its length. */
export function spentText(args: readonly CelValue[], index: number, spend: Spend): string {
  const text = textAt(args, index)
  spendText(text.length, spend)
  return text
}

/** A text argument of a call that takes up to 0.2 microseconds for each character. */
export function spentSlowText(args: readonly CelValue[], index: number, spend: Spend): string {
  const text = textAt(args, index)
  spendCall(text.length, spend)
  return text
}
