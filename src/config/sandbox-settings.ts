import { choice, type Setting } from './setting.ts'

/** The settings of sandboxes. */
export const SANDBOX_SETTINGS = {
  sandboxSnapshotApi: choice({
    env: 'SANDBOX_SNAPSHOT_API',
    shared: true,
    of: ['on', 'off'],
    default: 'on',
    doc: 'Whether planes accept the fields and kinds of sandboxes that agent-sandbox has not released: suspension strategies, snapshots, and automatic suspension. off rejects them with a 422 that names them.',
  }),
} as const satisfies Record<string, Setting<unknown>>
