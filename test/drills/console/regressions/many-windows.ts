import type { Page } from 'playwright-core'
import { newWindow, openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

/** More than the six connections to a server that a browser allows over HTTP/1.1. */
const WINDOWS = 8

/** More visible windows than connections: each loads, and each shows a change. */
export async function openManyWindows({ browser, server }: ConsoleRig): Promise<void> {
  const { clusters } = server.client
  const { id } = await clusters.create({ name: 'in-many-windows' })
  const context = await newWindow(browser)
  const pages: Page[] = []
  for (let window = 0; window < WINDOWS; window += 1) {
    const tab = await openTab(browser, server.origin, { context })
    await tab.open(`/resources/clusters/${id}`)
    await tab.page.getByRole('heading', { level: 1, name: 'in-many-windows' }).waitFor()
    pages.push(tab.page)
  }
  await clusters.patch(id, { labels: { wave: 'everywhere' } })
  await Promise.all(pages.map((page) => page.getByText('everywhere').first().waitFor()))
  await context.close()
}
