import type { AdapterWork } from '../adapter-work/adapter-work.ts'
import { leaseOf } from '../adapter-work/lease-token.ts'
import type { LeasedRow } from '../adapter-work/storage/claim-work.ts'
import { ALERTS_ADAPTER } from '../hyperfleet/kinds/view/kind.ts'
import { pause } from '../lib/async/pause.ts'
import type { Change } from '../store/model/change.ts'
import { readTotal } from '../store/resources/list/resource-total.ts'
import { type EvaluationContext, evaluateView } from './evaluate-view.ts'

/** Before another attempt if too many searches run, or the evaluation failed. */
const POSTPONED_SECONDS = 10
/** A view whose request to be due again was lost with its queue is due when its report is this old. */
const MAX_AGE_SECONDS = 900

interface Options extends EvaluationContext {
  readonly work: Pick<AdapterWork, 'lease' | 'giveBack'>
  /** Longer than a count can take. */
  readonly leaseSeconds: number
  /** Between two looks at the queue without a change of a view. */
  readonly pollMs: number
  readonly onError: (error: unknown) => void
}

/**
 * Evaluates the views that are due, one after the other, as their adapter: servers lease views from its
 * queue, so one of them evaluates a view at a time.
 */
export function startAlertEvaluator(options: Options): AsyncDisposable {
  const { operations, kind, pollMs, onError } = options
  const stopped = new AbortController()
  let woken = new AbortController()
  const listen = (): Disposable =>
    operations.feed.broadcaster.subscribe({
      onChanges: (changes) => {
        if (changes.some((change) => isOf(change, kind.kind))) woken.abort()
      },
      onLost: () => {
        subscription = listen()
        woken.abort()
      },
    })
  let subscription = listen()

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      woken = new AbortController()
      try {
        await evaluateDue(options, stopped.signal)
      } catch (error) {
        if (!stopped.signal.aborted) onError(error)
      }
      await pause(pollMs, AbortSignal.any([stopped.signal, woken.signal]))
    }
  }

  const ended = run()
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      subscription[Symbol.dispose]()
      await ended
    },
  }
}

function isOf(change: Change, kind: string): boolean {
  return change.subject === 'resource' && change.resource.kind === kind
}

async function evaluateDue(options: Options, signal: AbortSignal): Promise<void> {
  const { operations, kind } = options
  const views = { kinds: [kind.kind], ownerId: null, tenant: null }
  if ((await readTotal(operations.database, views)) === 0) return
  for (;;) {
    const [row] = signal.aborted ? [] : await lease(options, signal)
    if (row === undefined) return
    let isDone = false
    try {
      isDone = await evaluateView(options, row)
    } catch (error) {
      options.onError(error)
    }
    if (!isDone) await postpone(options, row)
  }
}

function lease(
  { work, kind, leaseSeconds }: Options,
  signal: AbortSignal,
): Promise<readonly LeasedRow[]> {
  return work.lease({
    adapter: ALERTS_ADAPTER,
    kinds: [{ kind, declaredOnly: false, filter: null }],
    tenant: null,
    search: null,
    max: 1,
    leaseSeconds,
    maxAgeSeconds: MAX_AGE_SECONDS,
    waitMs: 0,
    signal,
  })
}

async function postpone({ work }: Options, { token }: LeasedRow): Promise<void> {
  const held = leaseOf({ adapter: ALERTS_ADAPTER, token, tenant: null })
  if (held !== null) await work.giveBack(held, POSTPONED_SECONDS)
}
