import { SettingError } from './setting-error.ts'

/** The entry of an origin list that allows all origins. */
export const ANY_ORIGIN = '*'

/**
 * Throws a SettingError if no `Origin` header can equal the entry. Browsers have only one spelling
 * for an HTTP origin. Origins with other schemes are not checked.
 */
export function checkWebOrigin(setting: string, origin: string): void {
  if (origin === ANY_ORIGIN || !/^https?:|\*/i.test(origin)) return
  const written = URL.canParse(origin) ? new URL(origin).origin : null
  if (written === origin && !origin.includes('*')) return
  const hint = written === null || origin.includes('*') ? 'https://ui.example.com' : written
  throw new SettingError(
    `${setting}: '${origin}' is not an origin: expected a form such as '${hint}'`,
  )
}
