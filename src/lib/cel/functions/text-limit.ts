import { CelError } from '../cel-error.ts'
import { type Spend, STEPS_PER_ITEM } from '../values/compare-values.ts'

/** The longest text that a function makes, in UTF-16 units. */
const MAX_TEXT = 16 * 1024 * 1024

/** Charges for a text before it is made. */
export function spendText(length: number, spend: Spend): void {
  spend(Math.ceil(length * STEPS_PER_ITEM))
  if (length > MAX_TEXT) throw new CelError(`the text has more than ${MAX_TEXT} characters`)
}
