import { readStoreParameters } from '../stores/store-parameters.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'

type Parameters = Readonly<Record<string, string>>

const KNOWN = new Set([
  'store',
  'path',
  'bucket',
  'prefix',
  'region',
  'endpoint',
  'pathStyle',
  'encryption',
])

/** The problems of a backend's parameters; none if they are valid. */
export function parameterProblems(
  parameters: Parameters,
  options: Pick<ProcessDriverOptions, 'storeRoots' | 'encryptionKeys'>,
): readonly string[] {
  // Names with a slash belong to the protocol, such as flotilla.dev/workspace.
  const unknown = Object.keys(parameters).filter((name) => !KNOWN.has(name) && !name.includes('/'))
  const store = readStoreParameters(parameters, options.storeRoots)
  return [
    ...unknown.map((name) => `${name}: unknown parameter; expected ${[...KNOWN].join(', ')}`),
    ...('problems' in store ? store.problems : []),
    ...encryptionProblems(parameters, options.encryptionKeys.length > 0),
  ]
}

/** Whether the archive of a new snapshot is encrypted: by default if there are keys. */
export function isEncryptionOn(parameters: Parameters, hasKeys: boolean): boolean {
  return hasKeys && parameters['encryption'] !== 'off'
}

function encryptionProblems(parameters: Parameters, hasKeys: boolean): readonly string[] {
  const { encryption = '' } = parameters
  if (!['', 'on', 'off'].includes(encryption)) return ['encryption: expected on or off']
  if (encryption === 'on' && !hasKeys) return ['encryption: SANDBOX_ENCRYPTION_KEYS has no key']
  return []
}
