import { readUnsealedUrls, replaceStoredUrl } from '../storage/stored-urls.ts'
import { sealedUrl } from './stored-url.ts'
import type { WebhookContext } from './webhook-context.ts'

const BATCH_SIZE = 100

/**
 * Encrypts the URLs that an older version has stored, or that are encrypted with an older key. URLs
 * whose key is missing stay as they are.
 */
export async function sealStoredUrls(
  context: Pick<WebhookContext, 'database' | 'urls' | 'hasOtherConfiguration'>,
): Promise<void> {
  const { database, urls } = context
  const { prefix } = urls
  if (prefix === null) return
  for (let after = ''; ;) {
    const page = await readUnsealedUrls(database, { prefix, after, limit: BATCH_SIZE })
    for (const { id, url: stored } of page) {
      const url = openOrNull(context, stored, id)
      const sealed = url === null ? stored : await sealedUrl(context, { id, url })
      if (sealed.startsWith(prefix)) await replaceStoredUrl(database, { id, stored, sealed })
    }
    const last = page.at(-1)
    if (!last || page.length < BATCH_SIZE) return
    after = last.id
  }
}

function openOrNull(
  { urls }: Pick<WebhookContext, 'urls'>,
  stored: string,
  id: string,
): string | null {
  try {
    return urls.open(stored, id)
  } catch {
    return null
  }
}
