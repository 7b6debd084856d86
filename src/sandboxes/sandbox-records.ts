import type { SandboxRecords } from './controllers/sandboxes/sandbox-records.ts'
import type { Database } from '../store/database/database.ts'
import { advanceOperation } from './storage/advance-operation.ts'
import { beginOperation } from './storage/begin-operation.ts'
import { countInstances } from './storage/count-instances.ts'
import { dropFinishedOperations } from './storage/drop-finished-operations.ts'
import { listStates } from './storage/list-states.ts'
import { readLastOperation } from './storage/read-last-operation.ts'
import { readState } from './storage/read-state.ts'
import { readUnfinishedOperation } from './storage/read-unfinished-operation.ts'
import { recordActivity } from './storage/record-activity.ts'
import { recordObservation } from './storage/record-observation.ts'
import { removeState } from './storage/remove-state.ts'
import { renewOperations } from './storage/renew-operations.ts'
import { takeOperation } from './storage/take-operation.ts'

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
