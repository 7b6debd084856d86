import { type ConsoleTab, openTab } from '../browser/console-tab.ts'
import { saveScreenshot } from '../browser/save-screenshot.ts'
import { keyboardUser, touchUser, type User } from '../browser/user.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

/** The situation of a user who does a job. */
export interface Desk {
  readonly tab: ConsoleTab
  readonly user: User
  readonly rig: ConsoleRig
  /** `keyboard` or `touch`, for names of objects. */
  readonly by: string
}

/** Forms send dry runs while their input is incomplete, or in the moment when it is saved. */
const REJECTED_DRY_RUN = /status of (?:400|409) .*dryRun=All/

/** Does a job with the keyboard only, then with a finger on a screen of 390 pixels. */
export async function doJob(
  rig: ConsoleRig,
  name: string,
  job: (desk: Desk) => Promise<void>,
): Promise<void> {
  for (const [by, width] of [
    ['keyboard', 1280],
    ['touch', 390],
  ] as const) {
    await using tab = await openTab(rig.browser, rig.server.origin, {
      width,
      expects: REJECTED_DRY_RUN,
    })
    const user = by === 'keyboard' ? keyboardUser(tab.page) : touchUser(tab.page)
    try {
      await job({ tab, user, rig, by })
      await tab.assertClean()
    } finally {
      await saveScreenshot(tab.page, `job-${name}-${by}`)
    }
  }
}
