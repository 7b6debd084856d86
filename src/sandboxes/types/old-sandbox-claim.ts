import type { PrinterColumn, Schema } from 'flotilla/planes'
import { definition, text, withDefault } from 'flotilla/planes/native'
import { oldClaim, storedClaim } from '../model/old-claim.ts'
import { stable } from './maturity.ts'
import { OLD_EXTENSIONS_DEFINITIONS, OLD_VERSION } from './sandbox-groups.ts'

interface Current {
  readonly spec: Schema
  readonly status: Schema
  readonly printerColumns: readonly PrinterColumn[]
}

/** Claims in v1alpha1, which name a template and which of its pools may be used. */
export function oldSandboxClaim({ spec, status, printerColumns }: Current) {
  const { warmPoolRef: _pool, ...fields } = spec.properties ?? {}
  const template = definition(`${OLD_EXTENSIONS_DEFINITIONS}.SandboxTemplateRef`, {
    description: 'A template.',
    properties: { name: text('Name of a SandboxTemplate of the namespace.') },
    required: ['name'],
  })
  return {
    version: OLD_VERSION,
    definitions: OLD_EXTENSIONS_DEFINITIONS,
    properties: {
      spec: stable(
        definition(`${OLD_EXTENSIONS_DEFINITIONS}.SandboxClaimSpec`, {
          description: 'The template of which the claim gets a sandbox.',
          properties: {
            ...fields,
            sandboxTemplateRef: template,
            warmpool: withDefault(
              text('A pool, default for every pool of the template, or none for a new sandbox.'),
              'default',
            ),
          },
          required: ['sandboxTemplateRef'],
        }),
      ),
      status,
    },
    required: ['spec'],
    printerColumns,
    toStored: storedClaim,
    fromStored: oldClaim,
  }
}
