import type { Registry } from '../../store/registry/registry.ts'
import { BASE_PATH } from '../../hyperfleet/paths/base-path.ts'

/** The subject of a request of a system. */
export type SystemTarget =
  /** Something that every server answers, or a path that needs a tenant. */
  | { readonly type: 'server' }
  /** A resource, by its ID, or something below it. */
  | { readonly type: 'resource'; readonly id: string }
  /** A list of resources. */
  | { readonly type: 'list' }
  /** Something about all resources of a shard. */
  | { readonly type: 'shard' }

const SERVER: SystemTarget = { type: 'server' }
const LIST: SystemTarget = { type: 'list' }
const SHARD: SystemTarget = { type: 'shard' }

/** The services that do not depend on resources. */
const SERVICES: ReadonlySet<string> = new Set(['', 'kinds', 'whoami'])
/** Segments in the place of an ID. Names and bulk writes belong to a tenant, so systems have none. */
const NOT_IDS: ReadonlySet<string> = new Set(['', 'bulk', 'by-name'])

const PLANE = /^\/clusters\/([^/]+)\/control-plane(?:\/|$)/

/** The target of a request, from its path. */
export function systemTargetOf(
  { method, path }: { readonly method: string; readonly path: string },
  registry: Pick<Registry, 'kinds'>,
): SystemTarget {
  const plane = PLANE.exec(path)?.[1]
  if (plane !== undefined) return plane === 'root' ? SERVER : resourceAt(plane)
  if (path !== BASE_PATH && !path.startsWith(`${BASE_PATH}/`)) return SERVER
  const [first = '', second] = path.slice(BASE_PATH.length + 1).split('/')
  if (SERVICES.has(first)) return SERVER
  const isKind = first === 'resources' || registry.kinds.some(({ plural }) => plural === first)
  if (!isKind) return SHARD
  if (second === undefined) return method === 'GET' || method === 'HEAD' ? LIST : SERVER
  if (NOT_IDS.has(second)) return SERVER
  return resourceAt(second)
}

function resourceAt(segment: string): SystemTarget {
  try {
    return { type: 'resource', id: decodeURIComponent(segment) }
  } catch {
    return SERVER
  }
}
