import type { Database } from '../../store/database/database.ts'

const READ_UNSEALED_URLS = {
  name: 'read_unsealed_urls',
  text: `
    select id, url from webhooks where not starts_with(url, $1::text) and id > $2::text
    order by id limit $3::integer`,
}

const REPLACE_STORED_URL = {
  name: 'replace_stored_url',
  text: 'update webhooks set url = $3::text where id = $1::text and url = $2::text',
}

interface StoredUrl {
  readonly id: string
  readonly url: string
}

interface Page {
  readonly prefix: string
  /** The last ID of the previous page; '' for the first one. */
  readonly after: string
  readonly limit: number
}

/** URLs without the prefix of encrypted ones, in the order of their webhooks. */
export function readUnsealedUrls(
  database: Database,
  { prefix, after, limit }: Page,
): Promise<readonly StoredUrl[]> {
  return database.execute<StoredUrl>(READ_UNSEALED_URLS, [prefix, after, limit])
}

interface Replacement {
  readonly id: string
  readonly stored: string
  readonly sealed: string
}

/** Replaces the stored form of a URL, unless it has changed since. */
export async function replaceStoredUrl(
  database: Database,
  { id, stored, sealed }: Replacement,
): Promise<void> {
  await database.execute(REPLACE_STORED_URL, [id, stored, sealed])
}
