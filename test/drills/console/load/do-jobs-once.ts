import { openTab } from '../browser/console-tab.ts'
import { navigateInApp } from '../browser/navigate.ts'
import { saveScreenshot } from '../browser/save-screenshot.ts'
import { untilShown } from '../browser/until-shown.ts'
import { mouseUser } from '../browser/user.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import type { LoadJob } from './jobs/load-job.ts'

/** Does each job once without load, and reports all that fail. */
export async function doJobsOnce(
  rig: ConsoleRig,
  jobs: readonly LoadJob[],
  expects: RegExp,
): Promise<void> {
  const failures: string[] = []
  for (const { name, work } of jobs) {
    await using tab = await openTab(rig.browser, rig.server.origin, { expects })
    await tab.open('/resources/clusters')
    await untilShown(tab.page, /\d results$/)
    const open = (path: string) => navigateInApp(tab.page, path)
    try {
      await work({ tab: { ...tab, open }, user: mouseUser(tab.page), rig, by: 'once' })
      await tab.assertClean()
    } catch (error) {
      await saveScreenshot(tab.page, `job-${name.replaceAll(' ', '-')}-failed`)
      failures.push(`${name}: ${String(error)}`)
    }
  }
  if (failures.length > 0) throw new Error(failures.join('\n'))
}
