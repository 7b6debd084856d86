import type { Desk } from '../../jobs/job.ts'
import { newWindow, openTab } from '../../browser/console-tab.ts'
import { keyboardUser, touchUser } from '../../browser/user.ts'
import { yamlEditor } from '../../browser/yaml-editor.ts'
import { clusterId } from '../../../../../bench/data/cluster.ts'

/** The paths of pages, and their titles. */
const PAGES = [
  ['/', 'Overview'],
  ['/adapters', 'Adapters'],
  ['/timeline', 'Timeline'],
  ['/resources/clusters', 'Clusters'],
  ['/fleets', 'Fleets'],
  ['/planes', 'Planes'],
] as const
const TABS = 10

/** Opens the palette, and moves to the search with `/`, on the most used pages. */
export async function searchFromEveryPage({ tab: { page, open } }: Desk): Promise<void> {
  const palette = page.getByRole('dialog', { name: 'Search across everything' })
  for (const [path, title] of PAGES) {
    await open(path)
    // With the page before, the focus would leave too.
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
    await page.getByRole('main').focus()
    await page.keyboard.press('/')
    await page.locator('input:focus').waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
  }
}

/** Opens ten clusters in tabs of one browser. */
export async function openTenTabs({ tab: { page }, rig }: Desk): Promise<void> {
  const { browser, server, clusters } = rig
  const context = page.context()
  const opened = []
  for (let number = 0; number < TABS; number += 1) {
    const one = await openTab(browser, server.origin, { context })
    opened.push(one)
    await one.open(`/resources/clusters/${clusterId(clusters - number)}`)
    await one.page.getByRole('heading', { name: 'Conditions' }).waitFor()
  }
  for (const one of opened) {
    await one.assertClean()
    await one[Symbol.asyncDispose]()
  }
}

/** Finds a cluster that is not ready on a phone. */
export async function usePhone({ rig: { browser, server } }: Desk): Promise<void> {
  const context = await newWindow(browser, { width: 390 })
  await using tab = await openTab(browser, server.origin, { context, width: 390 })
  const { page } = tab
  const user = touchUser(page)
  await tab.open('/')
  await user.activate(page.getByRole('link', { name: 'Clusters', exact: true }).last())
  const grid = page.getByRole('grid', { name: 'Clusters' })
  await user.activate(page.getByRole('button', { name: 'Not ready', exact: true }))
  await page.getByText(/\d results$/).waitFor()
  // Until the filter is applied, the list shows ready clusters too.
  await user.activate(
    grid
      .getByRole('row')
      .filter({ hasText: /-0\d{5}/ })
      .filter({ hasText: /Failing|Waiting/ })
      .first(),
  )
  await page.getByRole('status').filter({ hasText: 'is not ready' }).waitFor()
  await tab.assertClean()
  await context.close()
}

/** Opens a cluster, edits it and leaves, with the keyboard only. */
export async function useKeyboard({ tab: { page, open } }: Desk): Promise<void> {
  const user = keyboardUser(page)
  await open('/')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await user.activate(page.getByRole('link', { name: 'Clusters', exact: true }).first())
  const grid = page.getByRole('grid', { name: 'Clusters' })
  await page.getByText(/\d results$/).waitFor()
  await user.activate(grid)
  await page.getByRole('heading', { name: 'Conditions' }).waitFor()
  await user.activate(page.getByRole('link', { name: 'Edit', exact: true }))
  await yamlEditor(page).waitFor()
  await user.activate(page.getByRole('button', { name: 'Close', exact: true }))
  await page.getByRole('heading', { name: 'Conditions' }).waitFor()
}
