import path from 'node:path'
import { run } from './run.ts'
import type { Stage } from './source-stage.ts'

/** The folders of the packages that are published. The command and the console are in the first. */
export const NPM_PACKAGES = ['.', 'clients/typescript'] as const

/** Packs the server with its command and console, and the SDK. npm gives all files the same time. */
export async function packNpmPackages(stage: Stage, out: string): Promise<void> {
  // .npmrc turns scripts off; that of the SDK compiles it.
  const pack = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', out]
  for (const folder of NPM_PACKAGES) {
    await run('npm', pack, { cwd: path.join(stage.folder, folder) })
  }
}
