import type { Schema } from 'flotilla/planes'
import { choice, definition, integer, text, withDefault } from 'flotilla/planes/native'
import { flotilla, proposed } from './maturity.ts'
import { AGENTS_DEFINITIONS } from './sandbox-groups.ts'

const HIBERNATE = definition(`${AGENTS_DEFINITIONS}.HibernateStrategy`, {
  description:
    'The store of the snapshot: one of the three references. Without one, the SnapshotClaim `default` of the namespace, which is created with the default class if it is missing.',
  properties: {
    snapshotProviderRef: definition(`${AGENTS_DEFINITIONS}.SnapshotProviderReference`, {
      description: 'A SnapshotProvider.',
      properties: { name: text('Name of the SnapshotProvider.') },
      required: ['name'],
    }),
    snapshotClaimName: text('Name of a SnapshotClaim of the namespace, which sandboxes may share.'),
    snapshotClaimTemplateName: text(
      'Name of a SnapshotClaimTemplate of the namespace, of which the sandbox gets its own claim.',
    ),
  },
})

/** How a sandbox is suspended. */
export const SUSPENSION_STRATEGY_SCHEMA: Schema = proposed(
  definition(`${AGENTS_DEFINITIONS}.SuspensionStrategy`, {
    description: 'How the sandbox is suspended. Without a strategy, it is stopped.',
    properties: {
      type: choice(
        ['Stop', 'Freeze', 'Hibernate'],
        'Stop ends the process and keeps its files. Freeze keeps it in memory without processor time. Hibernate takes a snapshot and ends it.',
      ),
      hibernate: HIBERNATE,
      timeoutSeconds: flotilla(
        withDefault(
          { ...integer('Seconds for each operation.'), minimum: 1, maximum: 86_400 },
          120,
        ),
      ),
      onFailure: flotilla(
        withDefault(
          choice(
            ['KeepRunning', 'Stop'],
            'Treatment of the workload if its snapshot cannot be taken.',
          ),
          'KeepRunning',
        ),
      ),
    },
    required: ['type'],
  }),
)
