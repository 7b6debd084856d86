import type { ConsoleRig } from '../rig/console-rig.ts'
import { browsePlanes } from './browse-planes.ts'
import { chooseParent } from './choose-parent.ts'
import { composeText } from './compose-text.ts'
import { countChildren } from './count-children.ts'
import { editSecrets } from './edit-secrets.ts'
import { groupByLabel } from './group-by-label.ts'
import { holdLiveList } from './hold-live-list.ts'
import { leaveCharts } from './leave-charts.ts'
import { openManyViews } from './open-many-views.ts'
import { openManyWindows } from './many-windows.ts'
import { failedCharts } from './failed-charts.ts'
import { openWhileAway } from './open-while-away.ts'
import { readOnly } from './read-only.ts'
import { saveSharedView } from './save-shared-view.ts'
import { useLists } from './use-lists.ts'

const CHECKS = {
  openManyWindows,
  openWhileAway,
  failedCharts,
  useLists,
  chooseParent,
  countChildren,
  groupByLabel,
  saveSharedView,
  openManyViews,
  browsePlanes,
  editSecrets,
  readOnly,
  holdLiveList,
  composeText,
  leaveCharts,
}

/** Repeats defects that users have met, and reports all that are back. */
export async function repeatDefects(rig: ConsoleRig): Promise<void> {
  const failures: string[] = []
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      await check(rig)
    } catch (error) {
      failures.push(`${name}: ${String(error)}`)
    }
  }
  if (failures.length > 0) throw new Error(failures.join('\n'))
}
