/** Measures the work of controllers. */
export interface ControllerMetrics {
  /** A reconciliation has ended. Failed ones run again. */
  readonly reconciled: (controller: string, result: 'succeeded' | 'failed') => void
  /** Exposes the size of a queue until it is disposed. */
  readonly exposeQueue: (controller: string, queue: { readonly size: number }) => Disposable
  /** Runs a reconciliation in a trace. Absent if the server does not trace. */
  readonly traced?: (controller: string, work: () => Promise<void>) => Promise<void>
}
