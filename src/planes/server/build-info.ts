import type { BuildInfo } from '../discovery/server-documents.ts'

/** The date that Kubernetes reports for builds without one. Some clients parse it. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z'

/** The build of this process. */
export function buildInfo(name: string, commit: string | null): BuildInfo {
  return {
    name,
    commit: commit ?? '',
    date: UNKNOWN_DATE,
    runtime: process.version,
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  }
}
