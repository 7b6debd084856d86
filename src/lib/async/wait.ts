/**
 * Waits for a state that a request does not bring about itself. Meanwhile the request has no seats,
 * so that others of its caller start.
 */
export type Wait = <T>(until: () => Promise<T>) => Promise<T>
