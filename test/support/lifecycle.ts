import type { Answer, TestServer } from './test-server.ts'

/** The header of a JSON body, for requests that have other headers too. */
export const JSON_TYPE = { 'Content-Type': 'application/json' }

/** A report as newer adapters send it, by default that all is well. */
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

/** Sends the same report from every adapter, one after the other; the answers in their order. */
export async function reportAll(
  server: TestServer,
  item: string,
  adapters: readonly string[],
  reportOf: (adapter: string) => object,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const adapter of adapters) {
    answers.push(await server.request('PUT', `${item}/statuses`, reportOf(adapter)))
  }
  return answers
}

/** The report that an adapter is done with a resource at this generation. */
export function finalizing(generation: number) {
  return (adapter: string) =>
    fullReport(adapter, generation, { available: 'False', finalized: true })
}
