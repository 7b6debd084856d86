/** The path of a fleet or of its subresource. */
export function fleetPath(name: string, ...segments: readonly string[]): string {
  const all = [name, ...segments].map((segment) => encodeURIComponent(segment))
  return ['/apis/kplane.dev/v1/fleets', ...all].join('/')
}
