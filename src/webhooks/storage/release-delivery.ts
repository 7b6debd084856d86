import type { Database } from '../../store/database/database.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'

const RELEASE_DELIVERY = {
  name: 'release_webhook_delivery',
  text: `
    update webhook_queues set due_time = now()
    where webhook_id = $1::text and resource_id = $2::text and lease = $3::bigint`,
}

/** Returns a delivery that was not attempted, so that another server can take it immediately. */
export async function releaseDelivery(
  database: Database,
  { webhookId, resourceId, lease }: Pick<ClaimedDelivery, 'webhookId' | 'resourceId' | 'lease'>,
): Promise<void> {
  await database.execute(RELEASE_DELIVERY, [webhookId, resourceId, lease])
}
