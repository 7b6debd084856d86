import { flag, type Setting } from '../lib/settings/setting.ts'

/** The settings of the planes of clusters. */
export const EXPOSED_KINDS_SETTINGS = {
  planesOnFirstAccess: flag({
    env: 'PLANES_ON_FIRST_ACCESS',
    shared: true,
    default: false,
    doc: 'Whether a request to the plane of a missing cluster creates the cluster, if its caller may create clusters. A typo then creates a cluster that adapters provision. Probes never create one, and succeed for a plane that another request would create.',
  }),
} as const satisfies Record<string, Setting<unknown>>
