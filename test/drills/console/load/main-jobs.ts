import { createCluster } from '../jobs/create-cluster.ts'
import { editSpec } from '../jobs/edit-spec.ts'
import { scaleFleet } from '../jobs/scale-fleet.ts'
import { suspendSandbox } from '../jobs/suspend-sandbox.ts'
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
import {
  arrangeList,
  completeLabel,
  findInPalette,
  readKeys,
  readWhyNotReady,
  returnToPlace,
} from './jobs/find-clusters.ts'
import type { LoadJob } from './jobs/load-job.ts'

/** The main jobs of an operator, in the order of a round. */
export const MAIN_JOBS: readonly LoadJob[] = [
  { name: 'say what broke most', work: sayWhatBrokeMost },
  { name: 'find a cluster by a part of its name', work: findInPalette },
  { name: 'complete a label', work: completeLabel },
  { name: 'read why a cluster is not ready', work: readWhyNotReady },
  { name: 'sort and choose columns', work: arrangeList },
  { name: 'return to a place in the list', work: returnToPlace },
  { name: 'read the keys', work: readKeys },
  { name: 'read what adapters have not seen', work: readUnseenChanges },
  { name: 'see what changed', work: seeWhatChanged },
  { name: 'find silent adapters', work: findSilentAdapters },
  { name: 'find who deleted a cluster', work: findWhoDeleted },
  { name: 'create a cluster', work: createCluster },
  { name: 'edit a spec', work: editSpec },
  { name: 'edit beside others', work: editBesideOthers },
  { name: 'label and delete', work: labelThenDelete },
  { name: 'open a view', work: openView },
  { name: 'scale a fleet', work: scaleFleet },
  { name: 'open a fleet', work: readFleet },
  { name: 'read a plane', work: readPlane },
  { name: 'suspend a sandbox', work: suspendSandbox },
]
