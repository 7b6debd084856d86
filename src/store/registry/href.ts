import type { Kind } from './kind.ts'

/** The start of every `href`: the path of the version of the HyperFleet API. */
export const HREF_BASE = '/api/hyperfleet/v1'

/** The paths of a kind's resources, without their ids. */
export function hrefPrefix({ plural }: Kind): string {
  return `${HREF_BASE}/${plural}/`
}
