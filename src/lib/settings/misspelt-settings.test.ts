import { describe, expect, it } from 'vitest'
import { misspeltSettings } from './misspelt-settings.ts'

const PREFIX = /^(?:FLOTILLA|HYPERFLEET)_/i

const SETTINGS = [
  'HOST',
  'PORT',
  'HEALTH_PORT',
  'DATABASE_URL',
  'DATA_DIR',
  'LOG_LEVEL',
  'JWT_ISSUER',
  'FEED_RETENTION',
  'FLOTILLA_CONFIG',
  'HYPERFLEET_CLUSTER_ADAPTERS',
]

function suggestionFor(variable: string, more: Record<string, string> = {}): string | undefined {
  return misspeltSettings({ [variable]: 'x', ...more }, SETTINGS, { prefix: PREFIX })[0]?.suggestion
}

describe('misspeltSettings', () => {
  it.each([
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['JWT_ISSUERS', 'JWT_ISSUER'],
    ['FEED_RETENSION', 'FEED_RETENTION'],
    ['HYPERFLEET_CLUSTERS_ADAPTERS', 'HYPERFLEET_CLUSTER_ADAPTERS'],
    ['FLOTILLA_PORT', 'PORT'],
    ['FLOTILLA_DATABASE_URL', 'DATABASE_URL'],
    ['HYPERFLEET_LOG_LEVEL', 'LOG_LEVEL'],
    ['FLOTILLA_CLUSTER_ADAPTERS', 'HYPERFLEET_CLUSTER_ADAPTERS'],
  ])('takes %s for %s', (variable, setting) => {
    expect(suggestionFor(variable)).toBe(setting)
  })

  it.each([
    'HOSTNAME',
    'HOSTTYPE',
    'POST',
    'PORTS',
    'SPORT',
    'DATABASE_HOST',
    'DATABASE_NAME',
    'DATABASE_USER',
    'DATABASE_PORT',
    'TEST_DATABASE_URL',
    'SHADOW_DATABASE_URL',
    'DATA_DB',
    'XDG_DATA_DIRS',
    'LOG_FILE',
    'npm_config_loglevel',
    'PGDATABASE',
    'HYPERFLEET_API_BASE_URL',
    'HYPERFLEET_API_SERVICE_HOST',
    'JWT_SECRET',
  ])('leaves %s to other software', (variable) => {
    expect(suggestionFor(variable)).toBeUndefined()
  })

  it('leaves a similar name alone beside the setting itself', () => {
    expect(suggestionFor('DATABASE_URI')).toBe('DATABASE_URL')
    expect(suggestionFor('DATABASE_URI', { DATABASE_URL: 'postgresql://x' })).toBeUndefined()
  })

  it('leaves the variables of Kubernetes services alone', () => {
    const env = { FLOTILLA_PORT: 'tcp://10.96.0.1:80', HEALT_PORT: 'tcp://10.96.0.2:80' }
    expect(misspeltSettings(env, SETTINGS, { prefix: PREFIX })).toEqual([])
  })
})
