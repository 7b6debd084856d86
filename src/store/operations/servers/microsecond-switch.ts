import type { TimeUnit } from '../../../lib/precise-date.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import type { Log } from '../../../lib/log/log.ts'
import type { Database } from '../../database/database.ts'
import { useMicroseconds } from '../../servers/use-microseconds.ts'

/** Setting of `SharedConfiguration` by which servers announce that they read microseconds. */
export const MICROSECOND_TIMES = { times: 'microseconds' } as const

/** Decides when this server writes microseconds, which older servers must not meet. */
export interface MicrosecondSwitch {
  /** The unit of the times that this server may write. */
  unit(): TimeUnit
  /** Switches to microseconds if all live servers read them and older ones can no longer start. */
  update(database: Database, others: readonly JsonObject[]): Promise<void>
}

/** Starts with milliseconds. Never switches back: older servers cannot return. */
export function createMicrosecondSwitch(log: Log): MicrosecondSwitch {
  let unit: TimeUnit = 'millisecond'
  return {
    unit: () => unit,
    update: async (database, others) => {
      if (unit === 'microsecond' || !others.every(readsMicroseconds)) return
      try {
        if (!(await useMicroseconds(database))) return
      } catch (error) {
        log.warn({ err: error }, 'times do not have microseconds yet')
        return
      }
      unit = 'microsecond'
    },
  }
}

function readsMicroseconds({ settings }: JsonObject): boolean {
  return isJsonObject(settings) && settings['times'] === MICROSECOND_TIMES.times
}
