import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Finding } from '../../src/import/finding.ts'
import type { JsonObject } from '../../src/lib/json/json.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** The versions of HyperFleet whose tables and responses were recorded from running servers. */
export const VERSIONS = ['v0.1.1', 'main'] as const
export type Version = (typeof VERSIONS)[number]

/** The response to a GET. */
export interface RecordedResponse {
  readonly path: string
  readonly body: JsonObject
}

/** The findings of a dry run: v0.1 shows the status Unknown, which the document of the API does not have. */
export const UNKNOWN_CONDITIONS: Readonly<Record<Version, readonly Finding[]>> = {
  'v0.1.1': ['DnsSuccessful', 'HypershiftSuccessful', 'PullsecretSuccessful'].map((type) => ({
    effect: 'kept',
    kind: 'Cluster',
    id: '2u9ovubo2lec1d7lcjafhosqoqgoajsi',
    text: `its condition ${type} has the status Unknown, which resources here do not have, until the next report`,
  })),
  main: [],
}

/** The recorded responses, each with the status 200. */
export function recordedResponses(version: Version): readonly RecordedResponse[] {
  return recorded(`${version}-responses.jsonl`)
    .trimEnd()
    .split('\n')
    .map((line): RecordedResponse => JSON.parse(line))
}

/** A database with the tables and rows of a HyperFleet server. */
export async function recordedDatabase(version: Version): Promise<TestDatabase> {
  const database = await createTestDatabase('embedded', { template: null })
  await query(database.url, recorded(`${version}.sql`))
  return database
}

/** Runs statements in a database. */
export async function query(url: string, text: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function recorded(file: string): string {
  return readFileSync(new URL(`recorded/${file}`, import.meta.url), 'utf8')
}
