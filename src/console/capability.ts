import { fileURLToPath } from 'node:url'
import { defineCapability } from '../capability/capability.ts'
import { choice } from '../lib/settings/setting.ts'
import { serveConsole } from './serve-console.ts'

const FOLDER = fileURLToPath(new URL('../../clients/console/dist', import.meta.url))

/** Serves the console. */
export const webConsole = defineCapability({
  name: 'console',
  needs: {},
  settings: {
    console: choice({
      env: 'CONSOLE',
      of: ['on', 'off'],
      default: 'on',
      doc: 'Whether the server serves the [console](console.md) at `/console`.',
    }),
  },
  open({ config, api }) {
    if (config.console === 'on') api.mounts.push(serveConsole(FOLDER))
  },
})
