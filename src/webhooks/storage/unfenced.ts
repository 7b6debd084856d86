/**
 * In the RETURNING clause of a statement that records the progress of webhooks: its writes are allowed
 * while a tenant is being moved to another shard. Otherwise the move of one tenant would stop the
 * webhooks of all. The target starts with a resync event, so it does not need these columns.
 */
export const UNFENCED = `set_config('flotilla.moves_tenant', 'true', true)`
