import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

interface Target {
  readonly name: string
  readonly root: string
  readonly out: string
  readonly sources: readonly string[]
  readonly needs?: readonly Target[]
  readonly build: (folder: string) => Promise<void>
}

const { buildTargetIfStale }: { buildTargetIfStale: (target: Target) => Promise<void> } =
  await import(new URL('build-target.mjs', import.meta.url).href)

let root: string
beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  root = await mkdtemp(path.join(os.tmpdir(), 'flotilla-targets-'))
  await write('schema', 'first')
  await write('src/program', 'import made')
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(root, { recursive: true })
})

async function write(file: string, text: string): Promise<void> {
  const full = path.join(root, file)
  await mkdir(path.dirname(full), { recursive: true })
  await writeFile(full, text)
}

/** A program that imports sources, which another target generates. Records the builds of both. */
function program() {
  const built: string[] = []
  const build = (name: string) => async (folder: string) => {
    built.push(name)
    await mkdir(folder)
    await writeFile(path.join(folder, name), '')
  }
  const made = { name: 'sources', root, out: 'src/made', sources: ['schema'], build: build('made') }
  const dist = { name: 'a program', root, out: 'dist', sources: ['src'], needs: [made] }
  return { built, target: { ...dist, build: build('dist') } }
}

test('a build of another process changes no digest', async () => {
  const { built, target } = program()
  await buildTargetIfStale(target)
  await write('src/made.1.new/half', '')
  await buildTargetIfStale(target)
  expect(built).toEqual(['made', 'dist'])
})

test('a program is built again when the sources of a needed target change', async () => {
  const { built, target } = program()
  await buildTargetIfStale(target)
  await write('schema', 'second')
  await buildTargetIfStale(target)
  expect(built).toEqual(['made', 'dist', 'made', 'dist'])
})
