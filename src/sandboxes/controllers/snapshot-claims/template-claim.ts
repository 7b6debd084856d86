import { createHash } from 'node:crypto'
import { isJsonObject, type JsonValue, objectOf } from 'flotilla'
import type { ApiObject, OwnerReference } from 'flotilla/planes'

const DIGEST_LENGTH = 8
const MAX_NAME_LENGTH = 253

/** The name of the claim that a template gives a sandbox: `<sandbox>-<template>-<8 hex>`. */
export function templateClaimName(sandbox: ApiObject, template: string): string {
  const { name = '', uid = '' } = sandbox.metadata
  const digest = createHash('sha256').update(`${uid}/${template}`).digest('hex')
  const prefix = `${name}-${template}`.slice(0, MAX_NAME_LENGTH - DIGEST_LENGTH - 1)
  return `${prefix}-${digest.slice(0, DIGEST_LENGTH)}`
}

/** The claim of a sandbox: labels, annotations and spec of the template, owned by the sandbox. */
export function templateClaim(sandbox: ApiObject, template: ApiObject): ApiObject {
  const { namespace = '' } = sandbox.metadata
  const spec = objectOf(template['spec'])
  const { labels, annotations } = objectOf(spec['metadata'])
  return {
    apiVersion: template.apiVersion,
    kind: 'SnapshotClaim',
    metadata: {
      name: templateClaimName(sandbox, template.metadata.name ?? ''),
      namespace,
      ...(isTextMap(labels) && { labels }),
      ...(isTextMap(annotations) && { annotations }),
      ownerReferences: [ownerOf(sandbox)],
    },
    spec: objectOf(spec['spec']),
  }
}

/** Whether a sandbox controls a claim. Any other claim with the name is foreign. */
export function isClaimOf(claim: ApiObject, sandbox: ApiObject): boolean {
  const { ownerReferences = [] } = claim.metadata
  return ownerReferences.some(
    ({ uid, controller }) => controller === true && uid === sandbox.metadata.uid,
  )
}

function ownerOf({ apiVersion, kind, metadata }: ApiObject): OwnerReference {
  const { name = '', uid = '' } = metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

function isTextMap(value: JsonValue | undefined): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string')
}
