/** The server's clock; tests pass their own. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
