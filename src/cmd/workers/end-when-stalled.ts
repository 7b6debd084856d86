import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { Worker } from 'node:worker_threads'

/** A process whose main thread is busy for this number of seconds ends. */
const SECONDS = 10
const BEAT_MS = 500
/** The shared memory: the number of beats, the length of the request's text, the text. */
const HEADER_BYTES = 8
const REQUEST_BYTES = 512

/** Runs in a separate thread. It prints the request, because the main thread cannot. */
const WATCH = `
const { writeSync } = require('node:fs')
const { workerData: { shared, number, seconds } } = require('node:worker_threads')
const [counters, text] = [new Int32Array(shared, 0, 2), Buffer.from(shared, ${HEADER_BYTES})]
let last = -1
let silent = 0
setInterval(() => {
  const beats = Atomics.load(counters, 0)
  silent = beats === last ? silent + 1 : 0
  last = beats
  if (silent < seconds) return
  const request = text.toString('utf8', 0, Atomics.load(counters, 1)) || 'none'
  writeSync(2, 'worker ' + number + ' computes for ' + seconds + ' s: it ends. Its last request: ' + request + '\\n')
  process.kill(process.pid, 'SIGKILL')
}, 1000)
`

/**
 * Ends this process if its main thread stalls, and prints the request that it began last: the most
 * likely culprit. Each request costs one write of its method and path to memory.
 */
export function endWhenStalled(number: number, seconds = SECONDS): void {
  const shared = new SharedArrayBuffer(HEADER_BYTES + REQUEST_BYTES)
  const counters = new Int32Array(shared, 0, 2)
  const text = Buffer.from(shared, HEADER_BYTES)
  subscribe('http.server.request.start', (message) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node documents the message
    const { request } = message as { readonly request: IncomingMessage }
    const [path = ''] = (request.url ?? '').split('?', 1)
    Atomics.store(counters, 1, text.write(`${request.method} ${path}`))
  })
  setInterval(() => Atomics.add(counters, 0, 1), BEAT_MS).unref()
  new Worker(WATCH, { eval: true, execArgv: [], workerData: { shared, number, seconds } }).unref()
}
