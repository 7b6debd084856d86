const BASE_PATH = '/api/hyperfleet/v1'

/** A path of the HyperFleet API from encoded segments. */
export function apiPath(...segments: readonly string[]): string {
  return [BASE_PATH, ...segments.map((segment) => encodeURIComponent(segment))].join('/')
}
