import { buildTargetIfStale } from './build-target.mjs'
import { SERVER } from './targets.mjs'

/** Compiles the server to dist/ unless dist/ is up to date. Benchmarks call it in older checkouts too. */
export const buildIfStale = () => buildTargetIfStale(SERVER)
