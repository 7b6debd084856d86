import { processStart } from 'flotilla/programs'

/** A process that cannot be confused with a later one that has the same pid. */
export interface ProcessIdentity {
  readonly pid: number
  /** Boot id and start time. */
  readonly start: string
}

/** The identity of a living process; null if it has ended. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | null> {
  const start = await processStart(pid)
  return start === null ? null : { pid, start }
}

/** Whether the process still runs. */
export async function isAlive(identity: ProcessIdentity | null): Promise<boolean> {
  return identity !== null && (await processStart(identity.pid)) === identity.start
}
