import type { Kind } from './kind.ts'

/** The names of schemas and operations in the API's document without any kind. */
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

/** The names of a kind's schemas and operations in the API's document. */
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
