/** Returns the current time. Tests pass their own clock. */
export type Clock = () => Date

/** The clock of this machine. */
export const systemClock: Clock = () => new Date()
