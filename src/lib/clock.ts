/** The server's clock; tests pass their own. */
export type Clock = () => Date

/** The time of this machine. */
export const systemClock: Clock = () => new Date()
