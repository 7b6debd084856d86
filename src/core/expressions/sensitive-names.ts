/** Shown to expressions instead of a secret. */
export const REDACTED = '***REDACTED***'

/** HyperFleet redacts the same names. They are broad on purpose: `private` also hides endpoints. */
const FRAGMENTS = [
  'password',
  'passphrase',
  'secret',
  'token',
  'credential',
  'api_key',
  'apikey',
  'accesskey',
  'accountkey',
  'encryptionkey',
  'registrykey',
  'servicekey',
  'signingkey',
  'sshkey',
  'private',
  'auth',
  'bearer',
  'cert',
  'connection',
  'kubeconfig',
]

const SENSITIVE = new RegExp(FRAGMENTS.join('|'), 'i')

/** Whether a member's name suggests that its value must not reach a condition. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.test(name)
}
