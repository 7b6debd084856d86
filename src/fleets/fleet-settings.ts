import { readInteger, retired, type Setting } from '../lib/settings/setting.ts'

/** The settings of fleets. */
export const FLEET_SETTINGS = {
  fleetMaxReplicas: retired({
    env: 'FLEET_MAX_REPLICAS',
    shared: true,
    doc: 'a Fleet may have 100000 members',
    read: (value) => readInteger(value, { min: 1, max: 1_000_000 }),
  }),
} as const satisfies Record<string, Setting<unknown>>
