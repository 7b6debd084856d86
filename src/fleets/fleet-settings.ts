import { integer, type Setting } from '../lib/settings/setting.ts'

/** The settings of fleets. */
export const FLEET_SETTINGS = {
  fleetMaxReplicas: integer({
    env: 'FLEET_MAX_REPLICAS',
    shared: true,
    min: 1,
    max: 1_000_000,
    default: 100_000,
    doc: 'Maximum number of members of a Fleet.',
  }),
} as const satisfies Record<string, Setting<unknown>>
