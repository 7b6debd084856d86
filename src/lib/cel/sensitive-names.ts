/** The value that replaces a secret in expressions. */
export const REDACTED = '***REDACTED***'

/** Parts of names of secrets. They are broad on purpose: `private` also redacts endpoints. */
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

/** Whether the name of a field suggests a secret, which must not appear in a condition. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.test(name)
}
