import type { TestResponse, TestServer } from './test-server.ts'

/** The Content-Type of JSON, for requests with additional headers. */
export const JSON_TYPE = { 'Content-Type': 'application/json' }

/** A report of a current adapter; by default, all conditions are True. */
export function fullReport(
  adapter: string,
  generation: number,
  { available = 'True', finalized = false }: { available?: string; finalized?: boolean } = {},
) {
  return {
    adapter,
    observed_generation: generation,
    observed_time: new Date().toISOString(),
    conditions: [
      { type: 'Available', status: available },
      { type: 'Applied', status: 'True' },
      { type: 'Health', status: 'True' },
      ...(finalized ? [{ type: 'Finalized', status: 'True' }] : []),
    ],
  }
}

/** Sends a report from every adapter, sequentially. Returns the responses in the same order. */
export async function reportAll(
  server: TestServer,
  item: string,
  adapters: readonly string[],
  reportOf: (adapter: string) => object,
): Promise<readonly TestResponse[]> {
  const responses: TestResponse[] = []
  for (const adapter of adapters) {
    responses.push(await server.request('PUT', `${item}/statuses`, reportOf(adapter)))
  }
  return responses
}

/** Returns a function for the Finalized report of an adapter at a generation. */
export function finalizing(generation: number) {
  return (adapter: string) =>
    fullReport(adapter, generation, { available: 'False', finalized: true })
}
