import type { SandboxState } from './sandbox-state.ts'
import type { SandboxOperation } from './sandbox-operation.ts'
import { stored } from '../../store/database/prisma-values.ts'
import { operationOf } from './operation-row.ts'
import { STATE_PREFIX, stateOf } from './state-row.ts'

/** The columns of a sandbox's row, and those of its operation, which are null without one. */
export type JoinedRow = Readonly<Record<string, unknown>>

export function rowsOf(row: JoinedRow): {
  readonly state: SandboxState
  readonly operation: SandboxOperation | null
} {
  const state: Record<string, unknown> = {}
  const operation: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    if (column.startsWith(STATE_PREFIX)) state[column.slice(STATE_PREFIX.length)] = value
    else operation[column] = value
  }
  return {
    state: stateOf(stored(state)),
    operation: operation['id'] === null ? null : operationOf(stored(operation)),
  }
}
