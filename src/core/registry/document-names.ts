import type { Kind } from './kind.ts'

/** Names that the API's document has without any kind: its schemas, and what its operations name. */
export const RESERVED_NAMES = [
  'AdapterCondition',
  'AdapterStatus',
  'AdapterStatusCreateRequest',
  'AdapterStatusList',
  'Annotations',
  'ForceDeleteRequest',
  'JsonPatchOperation',
  'JsonPatchRequest',
  'Labels',
  'MergePatchRequest',
  'Openapi',
  'OpenapiHtml',
  'OpenapiJson',
  'OpenapiYaml',
  'OwnerReference',
  'PartialAdapterStatus',
  'PartialResource',
  'Problem',
  'ReferringMergePatchRequest',
  'ReportMetadata',
  'ReportedCondition',
  'Resource',
  'ResourceCondition',
  'ResourceCreateRequest',
  'ResourceList',
  'ResourcePatchRequest',
  'ResourceReference',
  'ResourceStatus',
  'ResourceVersion',
  'Snapshot',
  'SnapshotEvent',
  'SnapshotPart',
  'SnapshotStatus',
  'Snapshots',
  'SnapshotsRequest',
  'Tenancy',
  'Violation',
  'WatchEvent',
] as const

/** The names that follow from a kind in the API's document: its schemas, and what its operations name. */
export function documentNames({
  kind,
  parent,
  snapshots,
}: Pick<Kind, 'kind' | 'parent' | 'snapshots'>): readonly string[] {
  return [
    kind,
    `${kind}Spec`,
    `Partial${kind}`,
    `${kind}List`,
    `${kind}CreateRequest`,
    `${kind}PatchRequest`,
    ...(snapshots === true ? [`${kind}Snapshot`] : []),
    `${kind}ByName`,
    ...(parent ? [`${kind}Of${parent.kind}`, `${kind}ByNameOf${parent.kind}`] : []),
  ]
}
