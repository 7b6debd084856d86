import type { Session } from '../session/session.ts'
import { waitForFleet } from './wait-for-fleet.ts'

/** The options of `flotilla fleet scale`. */
export interface ScaleOptions {
  readonly wait: boolean
  /** Milliseconds. */
  readonly timeout: number
}

/** Sets the number of members, and waits for it. */
export async function scaleFleet(
  session: Session,
  { name, replicas }: { readonly name: string; readonly replicas: number },
  { wait, timeout }: ScaleOptions,
): Promise<void> {
  const { client, signal, out } = session
  const fleet = await client.getFleet(name, { signal })
  const before = fleet.spec.replicas
  await fleet.scale(replicas, { signal })
  if (wait) await waitForFleet(session, name, timeout)
  out.write(`fleet/${name} scaled from ${before} to ${replicas}\n`)
}
