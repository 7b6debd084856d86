import type { SandboxRecords } from '../controllers/sandboxes/sandbox-records.ts'
import type { Database } from '../../store/database/database.ts'
import { advanceOperation } from './advance-operation.ts'
import { beginOperation } from './begin-operation.ts'
import { countInstances } from './count-instances.ts'
import { dropFinishedOperations } from './drop-finished-operations.ts'
import { listStates } from './list-states.ts'
import { readLastOperation } from './read-last-operation.ts'
import { readRows } from './read-rows.ts'
import { readState } from './read-state.ts'
import { recordActivity } from './record-activity.ts'
import { recordObservation } from './record-observation.ts'
import { removeState } from './remove-state.ts'
import { renewOperations } from './renew-operations.ts'
import { takeOperation } from './take-operation.ts'

/** The rows of sandboxes in this database, for controllers and endpoints. */
export function sandboxRecords(database: Database): SandboxRecords {
  return {
    readRows: (uid) => readRows(database, uid),
    readState: (uid) => readState(database, uid),
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
