/** A session in the database of the lease. It ends with the process of its candidate. */
export interface CandidateSession {
  readonly name: string
  /** Aborted when the session ends: another candidate may then lead. */
  readonly ended: AbortSignal
}

/** The sessions of candidates on all machines. */
export interface CandidateSessions {
  /** The session of this process, once it is open; null if others could not see it. */
  current(): Promise<CandidateSession | null>
  hasEnded(name: string): Promise<boolean>
}

const SESSION = /_session-([0-9a-f]+)$/

/** The identity that a candidate writes to the lease. */
export function holderOf(identity: string, session: CandidateSession | null): string {
  return session === null ? identity : `${identity}_session-${session.name}`
}

/** The candidate that a holder names, in this session or another one. */
export function candidateOf(holder: string): string {
  return holder.replace(SESSION, '')
}

/** Whether the session of a holder has ended. Older servers name none. */
export async function hasHolderEnded(
  holder: string,
  sessions: CandidateSessions | undefined,
): Promise<boolean> {
  const name = SESSION.exec(holder)?.[1]
  return name !== undefined && sessions !== undefined && sessions.hasEnded(name)
}
