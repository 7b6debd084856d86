import { KubeError } from '../../errors/kube-error.ts'
import { compareText } from '../../../lib/text/compare-text.ts'
import { pathsOf } from '../fields/fields-v1.ts'
import { formatElement } from '../fields/path-element.ts'
import type { Manager } from './manager.ts'
import type { Conflict } from './release-fields.ts'

/** 409: other managers own fields that the applied object changes. */
export function applyConflict(conflicts: readonly Conflict[]): KubeError {
  const sorted = conflicts.toSorted((one, other) => compareText(one.key, other.key))
  const listed = sorted.map(({ manager, fields }) => ({
    description: describe(manager),
    paths: pathsOf(fields).map((path) => path.map(formatElement).join('')),
  }))
  const causes = listed.flatMap(({ description, paths }) =>
    paths.map((field) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${description}`,
      field,
    })),
  )
  return new KubeError('conflict', messageOf(listed, causes.length), {
    code: 409,
    statusReason: 'Conflict',
    details: { causes },
  })
}

interface ListedConflict {
  readonly description: string
  readonly paths: readonly string[]
}

function messageOf(listed: readonly ListedConflict[], count: number): string {
  if (count === 1) {
    const [only] = listed
    return `Apply failed with 1 conflict: conflict with ${only?.description}: ${only?.paths.join('')}`
  }
  const lines = listed.flatMap(({ description, paths }) => [
    `conflicts with ${description}:`,
    ...paths.map((path) => `- ${path}`),
  ])
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`
}

function describe({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = JSON.stringify(manager)
  const named =
    subresource === '' ? name : `${name} with subresource ${JSON.stringify(subresource)}`
  return operation === 'Update' ? `${named} using ${apiVersion}` : named
}
