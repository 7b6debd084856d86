import { objectPath } from '../planes/object-path.ts'
import { ROOT_PLANE } from '../planes/plane-path.ts'

/** The plane and the namespace of sandboxes. */
export interface SandboxPlace {
  /** The name or ID of the cluster whose plane has it; the root plane by default. */
  readonly cluster?: string | undefined
  readonly namespace: string
}

/** A sandbox that a command names. */
export interface SandboxName extends SandboxPlace {
  readonly name: string
}

/** `NAME`, or `NAMESPACE/NAME`. */
export function sandboxNamed(argument: string, place: SandboxPlace): SandboxName {
  const slash = argument.indexOf('/')
  const { cluster } = place
  if (slash < 0) return { cluster, namespace: place.namespace, name: argument }
  return { cluster, namespace: argument.slice(0, slash), name: argument.slice(slash + 1) }
}

/** The path of a sandbox or of its subresource; without a name, that of the list. */
export function sandboxPath(
  { cluster = ROOT_PLANE, namespace }: SandboxPlace,
  ...segments: readonly string[]
): string {
  const type = { group: 'agents.x-k8s.io', version: 'v1beta1', plural: 'sandboxes' }
  return objectPath({ cluster, namespace, ...type }, ...segments)
}

/** An object whose conditions a command waits for. */
export interface ObservedObject {
  /** The name in messages, such as `sandbox/web`. */
  readonly label: string
  readonly path: string
}

export function observedSandbox(sandbox: SandboxName): ObservedObject {
  return { label: `sandbox/${sandbox.name}`, path: sandboxPath(sandbox, sandbox.name) }
}
