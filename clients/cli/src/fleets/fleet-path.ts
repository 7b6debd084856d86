/** The path of the fleets, of one of them, or of its subresource. */
export function fleetPath(...segments: readonly string[]): string {
  const encoded = segments.map((segment) => encodeURIComponent(segment))
  return ['/apis/kplane.dev/v1/fleets', ...encoded].join('/')
}
