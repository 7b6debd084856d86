/** The name of a plane in headings. */
export function planeLabel(plane: string): string {
  return plane === 'root' ? 'Root plane' : `Plane of ${plane}`
}
