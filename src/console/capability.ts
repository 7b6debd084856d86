import { fileURLToPath } from 'node:url'
import { defineCapability } from '../capability/capability.ts'
import { CONSOLE_SETTINGS } from './console-settings.ts'
import { serveConsole } from './serve-console.ts'

const FOLDER = fileURLToPath(new URL('../../clients/console/dist', import.meta.url))

/** Serves the console. */
export const webConsole = defineCapability({
  name: 'console',
  needs: {},
  settings: CONSOLE_SETTINGS,
  open({ config, api }) {
    if (config.console === 'on') api.mounts.push(serveConsole(FOLDER))
  },
})
