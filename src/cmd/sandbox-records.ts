import type { SandboxRecords } from '../controllers/sandboxes/sandbox-records.ts'
import type { Database } from '../core/storage/database/database.ts'
import { advanceOperation } from '../core/storage/sandboxes/advance-operation.ts'
import { beginOperation } from '../core/storage/sandboxes/begin-operation.ts'
import { countInstances } from '../core/storage/sandboxes/count-instances.ts'
import { dropFinishedOperations } from '../core/storage/sandboxes/drop-finished-operations.ts'
import { listStates } from '../core/storage/sandboxes/list-states.ts'
import { readLastOperation } from '../core/storage/sandboxes/read-last-operation.ts'
import { readState } from '../core/storage/sandboxes/read-state.ts'
import { readUnfinishedOperation } from '../core/storage/sandboxes/read-unfinished-operation.ts'
import { recordActivity } from '../core/storage/sandboxes/record-activity.ts'
import { recordObservation } from '../core/storage/sandboxes/record-observation.ts'
import { removeState } from '../core/storage/sandboxes/remove-state.ts'
import { renewOperations } from '../core/storage/sandboxes/renew-operations.ts'
import { takeOperation } from '../core/storage/sandboxes/take-operation.ts'

/** The rows of sandboxes in this database, for controllers and endpoints. */
export function sandboxRecords(database: Database): SandboxRecords {
  return {
    readState: (uid) => readState(database, uid),
    readUnfinishedOperation: (uid) => readUnfinishedOperation(database, uid),
    readLastOperation: (uid) => readLastOperation(database, uid),
    beginOperation: (operation) => beginOperation(database, operation),
    takeOperation: (id, lease) => takeOperation(database, { id, ...lease }),
    renewOperations: (ids, lease) => renewOperations(database, { ids, ...lease }),
    advanceOperation: (advance) => advanceOperation(database, advance),
    recordObservation: (state, progress) => recordObservation(database, state, progress),
    recordActivity: (uid, time) => recordActivity(database, uid, time),
    listStates: (page) => listStates(database, page),
    countInstances: () => countInstances(database),
    removeState: (uid) => removeState(database, uid),
    dropFinishedOperations: (before, limit) => dropFinishedOperations(database, before, limit),
  }
}
