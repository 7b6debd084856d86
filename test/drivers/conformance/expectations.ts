import { errorMessage } from '../../../src/lib/error-message.ts'
import type { DriverCode } from '../../../src/sandboxes/drivers/protocol/driver-code.ts'
import { SandboxDriverError } from '../../../src/sandboxes/drivers/protocol/sandbox-driver-error.ts'

/** Throws unless two values are equal as JSON. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [text(actual), text(expected)]
  if (got !== wanted) throw new Error(`expected ${what} to be ${wanted}, got ${got}`)
}

/** Throws unless the condition holds. */
export function expectThat(condition: boolean, rule: string): void {
  if (!condition) throw new Error(`expected that ${rule}`)
}

/** Resolves to the error if the call fails with one of the codes; otherwise throws. */
export async function expectCode(
  call: Promise<unknown>,
  ...codes: readonly DriverCode[]
): Promise<SandboxDriverError> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  )
  const wanted = codes.join(' or ')
  if (outcome === null) throw new Error(`expected ${wanted}, but the call succeeded`)
  if (outcome instanceof SandboxDriverError && codes.includes(outcome.code)) return outcome
  const got = outcome instanceof SandboxDriverError ? outcome.code : 'another error'
  throw new Error(`expected ${wanted}, got ${got}: ${errorMessage(outcome)}`, { cause: outcome })
}

function text(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? part.toString() : part,
  )
}
