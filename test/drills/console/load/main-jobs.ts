import { createCluster } from '../jobs/create-cluster.ts'
import { editSpec } from '../jobs/edit-spec.ts'
import { scaleFleet } from '../jobs/scale-fleet.ts'
import { recoverFromKill } from '../recovery/recover-from-kill.ts'
import { replaceExpiredToken } from '../recovery/replace-expired-token.ts'
import { readOnly } from '../regressions/read-only.ts'
import {
  findSilentAdapters,
  findWhoDeleted,
  sayWhatBrokeMost,
  seeWhatChanged,
} from './jobs/answer-questions.ts'
import {
  editBesideOthers,
  labelThenDelete,
  openView,
  readFleet,
  readPlane,
  readUnseenChanges,
} from './jobs/change-objects.ts'
import { openTenTabs, searchFromEveryPage, useKeyboard, usePhone } from './jobs/find-anywhere.ts'
import {
  arrangeList,
  completeLabel,
  findInPalette,
  readKeys,
  readWhyNotReady,
  returnToPlace,
} from './jobs/find-clusters.ts'
import { correctError, editSameField } from './jobs/handle-problems.ts'
import type { LoadJob } from './jobs/load-job.ts'
import {
  claimMember,
  editPlane,
  findStuckMember,
  resumeSandbox,
  useSandbox,
} from './jobs/use-workloads.ts'

/** The main jobs of an operator, in the order of a round. */
export const MAIN_JOBS: readonly LoadJob[] = [
  { name: 'say what broke most', work: sayWhatBrokeMost },
  { name: 'find a cluster by a part of its name', work: findInPalette },
  { name: 'complete a label', work: completeLabel },
  { name: 'read why a cluster is not ready', work: readWhyNotReady },
  { name: 'sort and choose columns', work: arrangeList },
  { name: 'return to a place in the list', work: returnToPlace },
  { name: 'search from every page', work: searchFromEveryPage },
  { name: 'read the keys', work: readKeys },
  { name: 'read what adapters have not seen', work: readUnseenChanges },
  { name: 'see what changed', work: seeWhatChanged },
  { name: 'find silent adapters', work: findSilentAdapters },
  { name: 'find who deleted a cluster', work: findWhoDeleted },
  { name: 'create a cluster', work: createCluster },
  { name: 'create after an error', work: correctError },
  { name: 'edit a spec', work: editSpec },
  { name: 'edit beside others', work: editBesideOthers },
  { name: 'edit the same field as others', work: editSameField },
  { name: 'label and delete', work: labelThenDelete },
  { name: 'open a view', work: openView },
  { name: 'scale a fleet', work: scaleFleet },
  { name: 'open a fleet', work: readFleet },
  { name: 'claim a member', work: claimMember },
  { name: 'find a stuck member', work: findStuckMember },
  { name: 'read a plane', work: readPlane },
  { name: 'edit objects of a plane', work: editPlane },
  { name: 'use a sandbox', work: useSandbox },
  { name: 'suspend and resume a sandbox', work: resumeSandbox },
  { name: 'work without a mouse', work: useKeyboard },
]

/** Jobs in other windows, on other servers of the database, or with other tokens. */
export const OTHER_JOBS: readonly LoadJob[] = [
  { name: 'open ten clusters in tabs', work: openTenTabs },
  { name: 'use a phone', work: usePhone },
  { name: 'sign in as a reader', work: ({ rig }) => readOnly(rig) },
  { name: 'edit while the server dies', work: ({ rig }) => recoverFromKill(rig) },
  {
    name: 'edit while the token expires',
    work: ({ rig }) => replaceExpiredToken(rig, rig.databaseUrl),
  },
]
