import type { Database } from '../../store/database/database.ts'
import { UNFENCED } from './unfenced.ts'

/** Consecutive failures that open the circuit. */
const MAX_FAILURES = 5
/** The longest pause between two probes, unless the receiver asks for a longer one. */
const MAX_PAUSE_SECONDS = 300

/**
 * The circuit of a webhook opens after failures of that many events. Each failed probe doubles the
 * pause. Failures of requests that began before the circuit opened do not extend it. Webhooks that are
 * paused or disabled have no open circuit, because they send no probes.
 */
const RECORD_FAILURE = {
  name: 'record_webhook_failure',
  text: `
    with failed as (
      select id, case when $2::boolean then failures + 1
        else greatest(failures, least(failures + 1, ${MAX_FAILURES})) end as failures
      from webhooks where id = $1::text and state = 'active' for no key update
    )
    update webhooks set
      failures = failed.failures,
      probe_time = case
        when failed.failures >= ${MAX_FAILURES} and ($2::boolean or probe_time is null)
        then now() + make_interval(secs => greatest($3::float8, least(${MAX_PAUSE_SECONDS},
          $4::float8 * power(2, least(failed.failures - ${MAX_FAILURES}, 20)))))
        else probe_time end
    from failed where webhooks.id = failed.id
    returning ${UNFENCED}`,
}

const CLOSE_CIRCUIT = {
  name: 'close_webhook_circuit',
  text: `
    update webhooks set failures = 0, probe_time = null where id = $1::text and failures > 0
    returning ${UNFENCED}`,
}

const PROBE_NOW = {
  name: 'probe_webhook_now',
  text: `update webhooks set probe_time = now() where id = $1::text and probe_time > now()`,
}

interface Failure {
  readonly webhookId: string
  readonly isProbe: boolean
  /** The pause that the receiver asks for. */
  readonly retryAfterSeconds: number
  /** The first pause between two probes. */
  readonly firstPauseSeconds: number
}

/** Counts a failure of an event's first attempt, or of a probe. Opens the circuit after several. */
export async function recordFailure(
  database: Database,
  { webhookId, isProbe, retryAfterSeconds, firstPauseSeconds }: Failure,
): Promise<void> {
  const values = [webhookId, isProbe, retryAfterSeconds, firstPauseSeconds]
  await database.execute(RECORD_FAILURE, values)
}

/** Closes the circuit after a success: all due deliveries are sent. */
export async function closeCircuit(database: Database, webhookId: string): Promise<void> {
  await database.execute(CLOSE_CIRCUIT, [webhookId])
}

/** If the circuit is open, lets the next probe begin. */
export async function probeNow(database: Database, webhookId: string): Promise<void> {
  await database.execute(PROBE_NOW, [webhookId])
}
