import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { Skipped } from '../../drill.ts'

export type ChromiumBrowser = AsyncDisposable &
  Pick<Browser, 'newContext' | 'startTracing' | 'stopTracing' | 'version'>

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Starts the Chromium of this machine without a window. Skips the case if there is none. */
export async function launchChromium(
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<ChromiumBrowser> {
  const executablePath = PROGRAMS.find((program) => existsSync(program))
  if (executablePath === undefined) throw new Skipped('Chromium is not installed')
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-lcd-text', ...args],
    env: { ...process.env, ...env },
  })
}
