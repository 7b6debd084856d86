import { startPasses } from 'flotilla/controllers'
import { sweepStores, type SweeperParts } from './sweep-stores.ts'

interface Options extends SweeperParts {
  readonly everyMs: number
  readonly random: () => number
}

/** Sweeps the stores of snapshots at the start and in regular intervals. */
export function startSnapshotSweeper(options: Options): Promise<AsyncDisposable> {
  const { timers, random, everyMs, onError } = options
  const passes = startPasses({
    timers,
    random,
    everyMs,
    onError,
    pass: (signal) => () => sweepStores(options, signal),
  })
  return Promise.resolve(passes)
}
