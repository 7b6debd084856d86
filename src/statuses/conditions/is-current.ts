/** Whether an adapter's last Available, if it has one, is at a generation the resource has reached. */
export function isCurrent(availableGeneration: number | null, generation: number): boolean {
  return availableGeneration !== null && availableGeneration <= generation
}
