/** A report whose Available has this status; `seq` makes it recognisable in `data`. */
export function availableReport(
  adapter: string,
  generation: number,
  status: 'True' | 'False' | 'Unknown' = 'True',
  seq = 0,
) {
  return {
    adapter,
    observed_generation: generation,
    observed_time: new Date().toISOString(),
    conditions: [{ type: 'Available', status }],
    data: { seq },
  }
}
