import type { EndpointParts } from './endpoint-parts.ts'

const REPORT_EVERY_MS = 10_000

/** Reports that a sandbox is in use now, at intervals, and when the result is disposed of. */
export async function reportActivity(
  { workloads, clock }: EndpointParts,
  uid: string,
): Promise<AsyncDisposable> {
  const report = (): Promise<boolean> => workloads.recordActivity(uid, clock())
  await report()
  const timer = setInterval(() => {
    // The next report follows soon; a failure must not end the program that runs.
    report().catch(() => undefined)
  }, REPORT_EVERY_MS)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await report().catch(() => undefined)
    },
  }
}
