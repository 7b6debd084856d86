import { type AdministratorName, readAdministrators } from '../../access/administrators.ts'
import { integer, type Setting } from '../../lib/settings/setting.ts'

/** The settings of rate limits. */
export const RATE_LIMIT_SETTINGS = {
  rateLimitReads: integer({
    env: 'RATE_LIMITS',
    member: 'reads',
    former: 'RATE_LIMIT_READS',
    divided: 'workers',
    reloadable: true,
    min: 0,
    max: 1_000_000,
    default: 0,
    doc: 'Maximum number of reads (GET) per second of each caller on this server. Further ones fail with 429. 0 means no limit: see docs/monitoring.md.',
  }),
  rateLimitWrites: integer({
    env: 'RATE_LIMITS',
    member: 'writes',
    former: 'RATE_LIMIT_WRITES',
    divided: 'workers',
    reloadable: true,
    min: 0,
    max: 1_000_000,
    default: 0,
    doc: 'The same for writes.',
  }),
  rateLimitBurstSeconds: integer({
    env: 'RATE_LIMITS',
    member: 'burst-seconds',
    former: 'RATE_LIMIT_BURST_SECONDS',
    reloadable: true,
    min: 1,
    max: 3600,
    default: 10,
    doc: 'Seconds of requests that a caller may send together after a pause.',
  }),
  rateLimitExempt: {
    env: 'RATE_LIMITS',
    member: 'exempt',
    former: 'RATE_LIMIT_EXEMPT',
    reloadable: true,
    type: 'comma list of user:name and group:name',
    default: [] as readonly AdministratorName[],
    doc: 'Callers without rate limits, such as adapters (`user:adapter@example.com,group:sentinels`). Callers that the gateway marks as systems never have any.',
    read: readAdministrators,
  },
} as const satisfies Record<string, Setting<unknown>>
