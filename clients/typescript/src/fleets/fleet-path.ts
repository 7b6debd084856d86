const FLEETS = '/apis/kplane.dev/v1/fleets'

/** The path of fleets, of one fleet, or of its subresource. */
export function fleetPath(...segments: readonly string[]): string {
  return [FLEETS, ...segments.map((segment) => encodeURIComponent(segment))].join('/')
}
