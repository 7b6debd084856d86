import { choice, type Setting } from '../lib/settings/setting.ts'

/** Settings of the console. */
export const CONSOLE_SETTINGS = {
  console: choice({
    env: 'CONSOLE',
    of: ['on', 'off'],
    default: 'on',
    doc: 'Whether the server serves the [console](console.md) at `/console`.',
  }),
} as const satisfies Record<string, Setting<unknown>>
