import { errorMessage } from '../lib/error-message.ts'
import type { DerivedValues } from './derived-values.ts'
import { readDuration, readInteger } from '../lib/settings/setting.ts'

/** A setting of the last version. This version still applies it; the next one ignores it. */
interface RetiredSetting {
  readonly env: string
  /** The value without it, and the setting that replaces it, if any. */
  readonly remedy: string
  /** Parses the variable; null if it already has no effect. */
  readonly read: ((text: string) => Partial<DerivedValues>) | null
}

export const RETIRED_SETTINGS: readonly RetiredSetting[] = [
  {
    env: 'OUTGOING_WEBHOOK_CONCURRENCY',
    remedy: 'a server sends 8 events to a webhook at the same time',
    read: (text) => ({ outgoingWebhookConcurrency: readInteger(text, { min: 1, max: 256 }) }),
  },
  {
    env: 'OUTGOING_WEBHOOK_LIMIT',
    remedy: 'a tenant may have 100 webhooks',
    read: (text) => ({ outgoingWebhookLimit: readInteger(text, { min: 1, max: 10_000 }) }),
  },
  {
    env: 'OUTGOING_WEBHOOK_PENDING_LIMIT',
    remedy: 'a webhook collects 100000 events',
    read: (text) => ({ outgoingWebhookPendingLimit: readInteger(text, { min: 1 }) }),
  },
  {
    env: 'OUTGOING_WEBHOOK_HISTORY',
    remedy: 'delivered events are listed for an hour',
    read: (text) => ({ outgoingWebhookHistory: readDuration(text) }),
  },
  {
    env: 'OUTGOING_WEBHOOK_DEAD_LETTER_RETENTION',
    remedy: 'dead letters are kept for 30 days',
    read: (text) => ({ outgoingWebhookDeadLetterRetention: readDuration(text) }),
  },
]

interface RetiredValues {
  readonly values: Partial<DerivedValues>
  /** One line per invalid variable. */
  readonly problems: readonly string[]
}

/** Reads the retired settings that the environment contains. */
export function readRetiredSettings(env: NodeJS.ProcessEnv): RetiredValues {
  const problems: string[] = []
  const values = presentIn(env).map(({ env: name, read }): Partial<DerivedValues> => {
    try {
      return read?.(env[name] ?? '') ?? {}
    } catch (error) {
      problems.push(`${name}: ${errorMessage(error)}`)
      return {}
    }
  })
  return { values: Object.assign({}, ...values), problems }
}

/** A line for each retired setting that the environment contains. */
export function retirements(env: NodeJS.ProcessEnv): readonly string[] {
  return presentIn(env).map(({ env: name, remedy, read }) =>
    read === null
      ? `${name} is retired and has no effect: ${remedy}`
      : `${name} is retired, and the next version ignores it: without it, ${remedy}`,
  )
}

function presentIn(env: NodeJS.ProcessEnv): readonly RetiredSetting[] {
  return RETIRED_SETTINGS.filter(({ env: name }) => (env[name] ?? '') !== '')
}
