import { compareText } from '../../lib/text/compare-text.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Discovery } from './discovery.ts'

/** The release of Kubernetes whose behaviour the server has. */
const MAJOR = '1'
const MINOR = '35'

/** The build of a server. */
export interface BuildInfo {
  /** Suffix of the version, such as `flotilla`. */
  readonly name: string
  readonly commit: string
  /** RFC 3339. */
  readonly date: string
  /** Version of the runtime. */
  readonly runtime: string
  /** Operating system and architecture, such as `linux/amd64`. */
  readonly platform: string
}

/** The document of `/version`. */
export function versionDocument({ name, commit, date, runtime, platform }: BuildInfo): JsonObject {
  return {
    major: MAJOR,
    minor: MINOR,
    emulationMajor: MAJOR,
    emulationMinor: MINOR,
    minCompatibilityMajor: MAJOR,
    minCompatibilityMinor: String(Number(MINOR) - 1),
    gitVersion: `v${MAJOR}.${MINOR}.0+${name}`,
    gitCommit: commit,
    gitTreeState: 'clean',
    buildDate: date,
    goVersion: runtime,
    compiler: 'node',
    platform,
  }
}

/** The document of `/`: the paths of the groups and of the server itself. */
export function rootPaths(discovery: Discovery, serverPaths: readonly string[]): JsonObject {
  return { paths: [...discovery.paths(), ...serverPaths].toSorted(compareText) }
}
