/** Marks requests that a runtime passes on for a sandbox. A server that needs no token rejects them. */
export const SANDBOX_HEADER = 'x-flotilla-sandbox'
