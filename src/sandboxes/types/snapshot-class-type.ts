import {
  AGE_COLUMN,
  choice,
  computedColumn,
  mapOf,
  NAME_COLUMN,
  nativeType,
  TEXT,
  text,
  textColumn,
  textList,
  withDefault,
} from 'flotilla/planes/native'
import { DEFAULT_CLASS_ANNOTATION } from '../model/backends/snapshot-class.ts'
import { flotilla, markedFields, proposed } from './maturity.ts'
import { AGENTS_DEFINITIONS, AGENTS_GROUP, AGENTS_VERSION } from './sandbox-groups.ts'

/** The type of classes of snapshots: path B. */
export const SNAPSHOT_CLASS_TYPE = nativeType({
  group: AGENTS_GROUP,
  version: AGENTS_VERSION,
  kind: 'SnapshotClass',
  plural: 'snapshotclasses',
  definitions: AGENTS_DEFINITIONS,
  shortNames: ['ssclass'],
  categories: ['sandboxes'],
  namespaced: false,
  description: 'A driver of snapshots with parameters that claims extend.',
  properties: markedFields(proposed, {
    provisioner: text('Name of the driver, such as process, gvisor or process-criu.'),
    parameters: mapOf(TEXT, 'Parameters for the driver. A claim may replace them unless locked.'),
    lockedParameters: flotilla(textList('Names of parameters that a claim may not set.')),
    reclaimPolicy: flotilla(
      withDefault(
        choice(
          ['Delete', 'Retain'],
          'Whether the data of a deleted Snapshot is deleted or stays in the store.',
        ),
        'Delete',
      ),
    ),
  }),
  required: ['provisioner'],
  printerColumns: [
    NAME_COLUMN,
    textColumn('Provisioner', '.provisioner', 'Driver of the snapshots.'),
    textColumn('ReclaimPolicy', '.reclaimPolicy', 'Treatment of the data of deleted snapshots.'),
    computedColumn('Default', 'Whether claims without a class use this one.', ({ metadata }) =>
      String(metadata.annotations?.[DEFAULT_CLASS_ANNOTATION] === 'true'),
    ),
    AGE_COLUMN,
  ],
  hasGeneration: true,
  mergesStrategically: false,
  rejectedFields: {
    spec: 'provisioner, parameters, lockedParameters and reclaimPolicy have no spec',
  },
})
