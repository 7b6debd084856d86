const BASE_PATH = '/api/hyperfleet/v1'

/** A path of the HyperFleet API, from the root of the server. */
export function resourcePath(...segments: readonly string[]): string {
  return [BASE_PATH, ...segments.map((segment) => encodeURIComponent(segment))].join('/')
}
