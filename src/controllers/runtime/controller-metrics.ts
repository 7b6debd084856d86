/** Measures the work of controllers. */
export interface ControllerMetrics {
  /** A reconciliation has ended. Failed ones run again. */
  readonly reconciled: (controller: string, result: 'succeeded' | 'failed') => void
  /** Exposes the size of a queue until it is disposed. */
  readonly exposeQueue: (controller: string, queue: { readonly size: number }) => Disposable
}
