import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TOOL_MS = 120_000

/** Links the packages of this clone to a folder, which is a tenth of the CPU of an installation. */
export async function linkPackages(folder: string): Promise<void> {
  const packages = path.join(folder, 'node_modules')
  try {
    const copy = ['-al', path.join(ROOT, 'node_modules'), folder]
    await runTool('cp', copy, { cwd: folder, timeoutMs: TOOL_MS })
    // npm replaces folders, but writes to this file in place.
    const state = path.join(packages, '.package-lock.json')
    const text = await readFile(state)
    await rm(state)
    await writeFile(state, text)
  } catch {
    // Another file system has no links to this one.
    await rm(packages, { recursive: true, force: true })
  }
}
