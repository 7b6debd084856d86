import { flag, integer, type Setting } from '../lib/settings/setting.ts'

/** The settings of planes. */
export const PLANE_SETTINGS = {
  planeBodyLimitBytes: integer({
    env: 'PLANE_BODY_LIMIT_BYTES',
    min: 1024,
    max: 67_108_864,
    default: 3_145_728,
    doc: 'Maximum size of a request body in planes. An object may have at most 1.5 MiB.',
  }),
  planesOnFirstAccess: flag({
    env: 'PLANES_ON_FIRST_ACCESS',
    shared: true,
    default: false,
    doc: 'Whether a request to the plane of a missing cluster creates the cluster, if its caller may create clusters. A typo then creates a cluster that adapters provision. Probes never create one, and succeed for a plane that another request would create.',
  }),
  fleetMaxReplicas: integer({
    env: 'FLEET_MAX_REPLICAS',
    shared: true,
    min: 1,
    max: 1_000_000,
    default: 100_000,
    doc: 'Maximum number of members of a Fleet.',
  }),
} as const satisfies Record<string, Setting<unknown>>
