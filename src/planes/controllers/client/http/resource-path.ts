import type { ResourceName } from '../plane-client.ts'
import { apiVersionOf } from '../resource-names.ts'

interface Place {
  readonly namespace?: string
  /** Absent for collections. */
  readonly name?: string
  readonly subresource?: string
}

/** The path of a plane, below the server. */
export function planePath(plane: string): string {
  return `/clusters/${encodeURIComponent(plane)}/control-plane`
}

/** The path of an object or a collection, below its plane. */
export function resourcePath(
  resource: ResourceName,
  { namespace = '', name, subresource = '' }: Place,
): string {
  const prefix = resource.group === '' ? '/api/' : '/apis/'
  const space = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`
  const part = subresource === '' ? '' : `/${subresource}`
  return `${prefix}${apiVersionOf(resource)}${space}/${resource.plural}${object}${part}`
}
