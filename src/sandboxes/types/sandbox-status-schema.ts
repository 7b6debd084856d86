import type { Schema } from 'flotilla/planes'
import {
  choice,
  CONDITION,
  definition,
  integer,
  keyedList,
  longInteger,
  mapOf,
  TEXT,
  text,
  textList,
  time,
} from 'flotilla/planes/native'
import { flotilla, proposed, stable } from './maturity.ts'
import { AGENTS_DEFINITIONS } from './sandbox-groups.ts'

const SNAPSHOT: Schema = proposed(
  definition(`${AGENTS_DEFINITIONS}.SandboxSnapshotStatus`, {
    description: 'The newest complete snapshot, with which the sandbox resumes.',
    properties: {
      snapshotUID: text('ID of the snapshot for its driver.'),
      snapshotProviderName: text('The SnapshotProvider that was used.'),
      snapshotClassName: text('The SnapshotClass that was used.'),
      snapshotClaimName: text('The SnapshotClaim that was used.'),
      sizeBytes: longInteger('Size of the snapshot.'),
      creationTime: time('When the snapshot was complete.'),
      driverMetadata: mapOf(TEXT, 'Values from the driver, returned to it for a restore.'),
      name: flotilla(text('Name of the Snapshot object.')),
    },
    required: ['snapshotUID'],
  }),
)

/** The observed state of a sandbox, which its controller writes. */
export const SANDBOX_STATUS_SCHEMA: Schema = stable(
  definition(`${AGENTS_DEFINITIONS}.SandboxStatus`, {
    description: 'The observed state of the sandbox.',
    properties: {
      serviceFQDN: text('Name of the Service in DNS. Planes have no Services.'),
      service: text('Name of the Service. Planes have no Services.'),
      conditions: keyedList(
        CONDITION,
        ['type'],
        'Ready, Suspended, Finished, BackendResolved, SnapshotReady, Progressing and Restored.',
      ),
      selector: text('Label selector of the pod.'),
      podIPs: textList('Addresses of the workload.'),
      nodeName: text('Machine of the workload.'),
      snapshot: SNAPSHOT,
      observedGeneration: flotilla(longInteger('Generation of the spec that was observed.')),
      boot: flotilla(
        choice(
          ['CLEAN', 'RESUME', 'RESUME_FS', 'FORK'],
          'How the workload was started: without earlier state, with its memory and files, with its files only, or as a copy of another sandbox.',
        ),
      ),
      runtime: flotilla(text('Name of the SandboxRuntime that has the workload.')),
      isolationClass: flotilla(text('The isolation class, decided at the first start.')),
      imageDigest: flotilla(text('The image, decided at the first start. Absent without one.')),
      instance: flotilla(text('ID of the current run of the workload.')),
      restarts: flotilla(integer('Starts of the workload after its end.')),
      exitCode: flotilla(integer('Exit code of the last run.')),
      lastActivityTime: flotilla(time('Last time the sandbox was used.')),
      suspendedTime: flotilla(time('When the sandbox was suspended.')),
    },
  }),
)
