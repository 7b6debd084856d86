import type { FlowControl } from '../../http/fairness/flow-control.ts'
import type { ObjectLog } from '../../store/objects/feed/object-log.ts'
import type { PlaneConfigurations } from '../../store/objects/model/plane-configuration.ts'
import type { LogEntry } from '../../store/objects/storage/changes/object-change-row.ts'
import { ROOT_PLANE } from '../planes/root-plane.ts'
import { flowControlOf } from './flow-control.ts'
import { type AppliedFlow, flowObjectsOf } from './flow-objects.ts'
import { FLOW_SCHEMAS_KEY } from './flow-schemas.ts'
import { PRIORITY_LEVELS_KEY } from './priority-levels.ts'

/** Pause after a failed read. */
const RETRY_MS = 1000

interface Options {
  /** The configurations subscribe before, so that they include the changes. */
  readonly log: Pick<ObjectLog, 'subscribe'>
  readonly configurations: PlaneConfigurations
  /** Called with the first configured classes, and when they change. */
  readonly apply: (flowControl: FlowControl | null) => void
  /** Receives the objects whenever they have been read. */
  readonly applied: AppliedFlow
  readonly onError: (error: unknown) => void
}

/** Applies the classes of the root plane to this process, now and when they change. */
export async function followFlowControl({
  log,
  configurations,
  apply,
  applied,
  onError,
}: Options): Promise<Disposable> {
  let current: FlowControl | null = null
  let timer: NodeJS.Timeout | undefined
  /** Of the last read. Reads can overlap, and end in another order. */
  let generation = 0

  async function refresh(): Promise<void> {
    clearTimeout(timer)
    generation += 1
    const mine = generation
    try {
      const configuration = await configurations.of(ROOT_PLANE)
      if (mine !== generation) return
      applied.objects = flowObjectsOf(configuration)
      const next = flowControlOf(configuration)
      if (next === current) return
      current = next
      apply(next)
    } catch (error) {
      if (mine !== generation) return
      onError(error)
      timer = setTimeout(() => void refresh(), RETRY_MS).unref()
    }
  }

  const subscription = log.subscribe({
    onChanges: (entries) => {
      if (entries.some(isFlowControl)) void refresh()
    },
    onLost: () => void refresh(),
  })
  await refresh()
  return {
    [Symbol.dispose]: () => {
      generation += 1
      clearTimeout(timer)
      subscription[Symbol.dispose]()
    },
  }
}

function isFlowControl(entry: LogEntry): boolean {
  if (entry.type === 'REMOVED' || entry.plane !== ROOT_PLANE) return false
  return entry.resource === FLOW_SCHEMAS_KEY || entry.resource === PRIORITY_LEVELS_KEY
}
