/**
 * The folder of a new migration, `<UTC time>_<words>`. Migrations are applied in the order of their
 * names. If the latest migration has a future time, the new one gets the following second.
 */
export function migrationName(words: string, now: Date, existing: readonly string[]): string {
  const slug = words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  if (slug === '') throw new Error('a name is required: npm run migrate -- <name>')
  const latest =
    existing
      .map((name) => name.slice(0, 14))
      .sort()
      .at(-1) ?? ''
  const time = stamp(now)
  return `${time > latest ? time : stamp(secondAfter(latest))}_${slug}`
}

/** `20260131235959` */
function stamp(time: Date): string {
  return time.toISOString().replaceAll(/\D/g, '').slice(0, 14)
}

function secondAfter(text: string): Date {
  const [year, month, day, hour, minute, second] = [0, 4, 6, 8, 10, 12].map((start, index) =>
    Number(text.slice(start, start + (index === 0 ? 4 : 2))),
  )
  return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, (second ?? 0) + 1))
}
