import { defineCapability } from '../capability/capability.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { AdapterWork } from './adapter-work.ts'
import { workPart } from './http/work-routes.ts'
import { type QueueScope, readQueues } from './storage/read-queues.ts'
import { createWorkMetrics } from './work-metrics.ts'

const MAX_WAITERS = 1000

const OPENAPI = new URL('../../openapi/adapter-work.yaml', import.meta.url)

/** Queues from which adapters lease the resources that need a report. */
export const adapterWork = defineCapability({
  name: 'adapter-work',
  needs: { hyperfleet },
  settings: {},
  openapi: { file: OPENAPI },
  tables: [
    {
      name: 'adapter_queues',
      backup: 'derived',
      move: { stays: 'each shard has its own queues, which follow its log' },
    },
    {
      name: 'adapter_work',
      backup: 'derived',
      move: { stays: 'leases end with the move, and the other shard queues the resources' },
    },
  ],
  open({ api, config, database, log, metrics, needs }) {
    const work = new AdapterWork({
      ...needs.hyperfleet.operations,
      timeoutMs: config.statementTimeoutMs,
      maxWaiters: MAX_WAITERS,
      onError: (error) => log.warn({ err: error }, 'the queue of an adapter waits'),
    })
    const workMetrics = createWorkMetrics(metrics.registry)
    workMetrics.expose(work)
    api.endless.push({ name: 'waiting adapters', close: () => work[Symbol.dispose]() })
    needs.hyperfleet.addPart(() => workPart(work, workMetrics))
    return { work, readQueues: (scope: QueueScope) => readQueues(database, scope) }
  },
})
