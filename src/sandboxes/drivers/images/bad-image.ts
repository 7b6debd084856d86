import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

const MAX_QUOTED = 200

/** The failure of an image that cannot be registered. Paths are quoted, since they are hostile. */
export function badImage(problem: string, cause?: unknown): SandboxDriverError {
  return new SandboxDriverError('INVALID_ARGUMENT', `the image is rejected: ${problem}`, { cause })
}

/** A text of an image in a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text)
}
