/** CPU time of the tasks of a page's main thread, in ms. Other programs do not add to it. */
export interface MainThreadTasks {
  readonly count: number
  readonly total: number
  readonly longest: number
  /** Each task that handled an input event. */
  readonly inputs: readonly number[]
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** CPU time of the thread in microseconds. */
  readonly tdur?: number
  readonly args: { readonly name?: string; readonly data?: { readonly type?: string } }
}

/** The categories of a trace from which {@link mainThreadTasks} reads. */
export const TRACE_CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline']

const INPUTS = new Set(['keydown', 'keypress', 'input', 'beforeinput', 'pointerdown', 'click'])
const MICROSECONDS = 1000

/** Reads the tasks of all pages from a trace of Chromium. */
export function mainThreadTasks(trace: string): MainThreadTasks {
  const { traceEvents }: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(trace)
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  )
  const own = traceEvents.filter((event) => mains.has(threadOf(event)))
  const tasks = own.filter(({ name, ph }) => name === 'RunTask' && ph === 'X')
  const inputs = own.filter(
    ({ name, args }) => name === 'EventDispatch' && INPUTS.has(args.data?.type ?? ''),
  )
  const handling = inputs.flatMap((input) => tasks.find((task) => contains(task, input)) ?? [])
  return {
    count: tasks.length,
    total: tasks.reduce((sum, task) => sum + cpuOf(task), 0),
    longest: longestOf(tasks),
    inputs: [...new Set(handling)].map(cpuOf),
  }
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid}/${tid}`
}

function contains(task: TraceEvent, event: TraceEvent): boolean {
  const isSameThread = threadOf(task) === threadOf(event)
  return isSameThread && task.ts <= event.ts && event.ts <= task.ts + (task.dur ?? 0)
}

function cpuOf({ tdur = 0 }: TraceEvent): number {
  return tdur / MICROSECONDS
}

function longestOf(tasks: readonly TraceEvent[]): number {
  return tasks.reduce((longest, task) => Math.max(longest, cpuOf(task)), 0)
}
