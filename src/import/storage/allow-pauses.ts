import type { Database } from '../../store/database/database.ts'

const ALLOW_PAUSES = {
  name: 'allow_pauses',
  text: `select set_config('idle_in_transaction_session_timeout', $1::text, true)`,
}

/**
 * Lets a transaction pause this long between two statements; 0 for any time. Transactions of servers may pause
 * for seconds only, but a command converts many rows in between, perhaps on a busy machine.
 */
export async function allowPauses(transaction: Database, milliseconds: number): Promise<void> {
  await transaction.execute(ALLOW_PAUSES, [String(milliseconds)])
}
