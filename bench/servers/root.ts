import { fileURLToPath } from 'node:url'

/** The root directory of this checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
