import type { ObservedSandbox } from './observed-sandbox.ts'

/** Identifies the wishes that an attempt has considered. Others end its pause early. */
export function seenSpec(sandbox: ObservedSandbox | null): string {
  if (sandbox === null) return ''
  const { generation, requestsColdBoot } = sandbox.spec
  return `${generation}${requestsColdBoot ? '/cold-boot' : ''}`
}
