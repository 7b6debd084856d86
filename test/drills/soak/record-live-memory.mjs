// Preloaded by the servers of a soak: writes the memory that is in use after each full garbage
// collection, in bytes, to the file named by LIVE_MEMORY_FILE.
import { writeFileSync } from 'node:fs'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import process from 'node:process'

const file = process.env['LIVE_MEMORY_FILE']

/** The types of Node lack the detail of garbage collections. */
const isFull = (/** @type {any} */ { detail }) =>
  detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR

new PerformanceObserver((list) => {
  if (file === undefined || !list.getEntries().some(isFull)) return
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync(file, String(heapUsed + external))
}).observe({ entryTypes: ['gc'] })
