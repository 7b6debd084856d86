import { badRequest } from '../errors/failures.ts'

/** A path below a plane. */
export interface PlanePath {
  /** `root`, or the segment that names a cluster. */
  readonly plane: string
  /** The path below the plane, such as `/api/v1`; `/` for the plane itself. */
  readonly path: string
  /** The part of the URL before the path: empty for the root plane's short form. */
  readonly prefix: string
}

const ROOT = 'root'
const OF_CLUSTER = /^\/clusters\/([^/]+)\/control-plane(\/.*)?$/

/** Paths of a plane. The root plane has them at the top of the server too. */
const SERVED = [
  /^\/api(\/v1(\/.*)?)?\/?$/,
  /^\/apis(\/.*)?$/,
  /^\/openapi\/v[23](\/.*)?$/,
  /^\/(version|livez|readyz|healthz)(\/.*)?$/,
  /^\/openid\/v1\/jwks$/,
  /^\/\.well-known\/openid-configuration$/,
]

/** The metrics of the root plane, which other planes do not have. */
const METRICS = '/metrics'

/** The plane of a request path; null if the path belongs to another API. */
export function planePathOf(path: string): PlanePath | null {
  const match = OF_CLUSTER.exec(path)
  if (match) {
    const [, segment = '', below = '/'] = match
    if (below !== '/' && !isServed(below)) return null
    return {
      plane: decodeURIComponent(segment),
      path: below,
      prefix: path.slice(0, path.length - (match[2] ?? '').length),
    }
  }
  return isServed(path) || path === METRICS ? { plane: ROOT, path, prefix: '' } : null
}

function isServed(path: string): boolean {
  return SERVED.some((pattern) => pattern.test(path))
}

/** How often a segment is decoded: servers behind a plane may decode twice. */
const MAX_DECODINGS = 3

/**
 * Rejects paths that programs read differently: with dot segments, backslashes or encoded slashes.
 * A server that a request is delegated to would resolve them after this one has authorized the path.
 */
export function requirePlainPath(path: string): void {
  // Without these characters, no segment is ambiguous.
  if (!/[%.\\]/.test(path)) return
  const segment = path.split('/').find(isAmbiguous)
  if (segment === undefined) return
  const shown = JSON.stringify(segment.slice(0, 100))
  throw badRequest(
    `the path segment ${shown} is not allowed: paths of planes have no dot segments, backslashes or encoded slashes`,
  )
}

function isAmbiguous(segment: string): boolean {
  let text = segment
  for (let decodings = 0; decodings <= MAX_DECODINGS; decodings += 1) {
    // Servers ignore parameters after dots, and a query or fragment of a path decoded twice.
    if (/[/\\]/.test(text) || /^\.\.?([;?#]|$)/.test(text)) return true
    const decoded = decodedOnce(text)
    if (decoded === text) return false
    text = decoded
  }
  return true
}

/** The text itself if it is not percent-encoded UTF-8. */
function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
