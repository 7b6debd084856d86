import { objectPath } from '../planes/object-path.ts'
import { ROOT_PLANE } from '../planes/plane-path.ts'
import type { ObservedObject, SandboxName, SandboxPlace } from './sandbox-path.ts'

const GROUP = { group: 'extensions.agents.x-k8s.io', version: 'v1beta1' }
const SINGULARS = {
  sandboxwarmpools: 'sandboxwarmpool',
  sandboxtemplates: 'sandboxtemplate',
  sandboxclaims: 'sandboxclaim',
} as const

export const EXTENSIONS_API_VERSION = `${GROUP.group}/${GROUP.version}`

/** Pools of sandboxes, with their templates and claims. */
export type ExtensionPlural = keyof typeof SINGULARS

/** The path of a pool, template or claim; without a name, that of the list. */
export function extensionPath(
  plural: ExtensionPlural,
  { cluster = ROOT_PLANE, namespace }: SandboxPlace,
  ...segments: readonly string[]
): string {
  return objectPath({ cluster, namespace, ...GROUP, plural }, ...segments)
}

export function observedExtension(plural: ExtensionPlural, place: SandboxName): ObservedObject {
  const { name } = place
  return { label: `${SINGULARS[plural]}/${name}`, path: extensionPath(plural, place, name) }
}
