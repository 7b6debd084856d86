import type { Schema } from 'flotilla/planes'
import { definition, mapOf, TEXT, text } from 'flotilla/planes/native'
import { proposed } from './maturity.ts'
import { AGENTS_DEFINITIONS } from './sandbox-groups.ts'

/** The spec of a claim, in claims and in their templates. */
export const SNAPSHOT_CLAIM_SPEC_SCHEMA: Schema = proposed(
  definition(`${AGENTS_DEFINITIONS}.SnapshotClaimSpec`, {
    description: 'A class and the parameters of the namespace.',
    properties: {
      snapshotClassName: text('Name of the SnapshotClass; empty for the default class.'),
      parameters: mapOf(TEXT, 'Parameters for the driver, in addition to those of the class.'),
    },
  }),
)
