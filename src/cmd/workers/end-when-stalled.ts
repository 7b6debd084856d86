import type { ServerResponse } from 'node:http'
import { Worker } from 'node:worker_threads'
import { observeMainThread, type Work } from '../../lib/tracing/main-thread.ts'

/** A process whose main thread is busy for this number of seconds ends. */
const SECONDS = 10
const BEAT_MS = 500
/** The shared memory: beats, the length of the request's text, whether it is processed, the text. */
const HEADER_BYTES = 12
const REQUEST_BYTES = 512

/** Runs in a separate thread. It prints the request, because the main thread cannot. */
const WATCH = `
const { writeSync } = require('node:fs')
const { workerData: { shared, number, seconds } } = require('node:worker_threads')
const [counters, text] = [new Int32Array(shared, 0, 3), Buffer.from(shared, ${HEADER_BYTES})]
let last = -1
let silent = 0
setInterval(() => {
  const beats = Atomics.load(counters, 0)
  silent = beats === last ? silent + 1 : 0
  last = beats
  if (silent < seconds) return
  const request = text.toString('utf8', 0, Atomics.load(counters, 1)) || 'none'
  const relation = Atomics.load(counters, 2) === 1 ? 'It computes for: ' : 'Its last request: '
  writeSync(2, 'worker ' + number + ' computes for ' + seconds + ' s: it ends. ' + relation + request + '\\n')
  process.kill(process.pid, 'SIGKILL')
}, 1000)
`

/**
 * Ends this process if its main thread stalls, and prints the request that it works for. This costs
 * a write of method and path to memory when the thread turns to another request.
 */
export function endWhenStalled(number: number, seconds = SECONDS): void {
  const shared = new SharedArrayBuffer(HEADER_BYTES + REQUEST_BYTES)
  const counters = new Int32Array(shared, 0, 3)
  const text = Buffer.from(shared, HEADER_BYTES)
  let last: Work | null = null
  observeMainThread({
    onStart: (work) => {
      if (work !== null && work !== last) {
        last = work
        Atomics.store(counters, 1, text.write(requestOf(work)))
      }
      Atomics.store(counters, 2, work === null ? 0 : 1)
    },
    onEnd: () => {
      last = null
      Atomics.store(counters, 2, 0)
    },
  })
  setInterval(() => Atomics.add(counters, 0, 1), BEAT_MS).unref()
  new Worker(WATCH, { eval: true, execArgv: [], workerData: { shared, number, seconds } }).unref()
}

/** The method and the path of the request of a response. */
function requestOf(work: Work): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each property is checked
  const { req } = work as Partial<ServerResponse>
  const [path = ''] = (req?.url ?? '').split('?', 1)
  return `${req?.method ?? ''} ${path}`
}
