import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { assert } from '../../src/lib/assert.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const files = new Map<string, string>()
const violations = new Map<string, string[]>()

/** Writes all planted files to a temporary folder and lints them in one run. */
beforeAll(async () => {
  const tree = await mkdtemp(path.join(os.tmpdir(), 'flotilla-lint-'))
  try {
    await cp(path.join(root, '.oxlintrc.json'), path.join(tree, '.oxlintrc.json'))
    for (const [file, text] of files) {
      await mkdir(path.dirname(path.join(tree, file)), { recursive: true })
      await writeFile(path.join(tree, file), text)
    }
    for (const { filename, code } of await lint(tree)) {
      violations.set(filename, [...(violations.get(filename) ?? []), code])
    }
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
})

/** Registers a file to be linted and returns its path. */
function plant(folder: string, text: string, name = `planted-${files.size}.ts`): string {
  const file = `${folder}/${name}`
  assert(!files.has(file), `${file} is planted once`)
  files.set(file, text)
  return file
}

interface Diagnostic {
  readonly filename: string
  readonly code: string
}

function lint(tree: string): Promise<readonly Diagnostic[]> {
  const oxlint = path.join(root, 'node_modules/.bin/oxlint')
  return new Promise((resolve, reject) => {
    execFile(oxlint, ['-f', 'json'], { cwd: tree }, (error, stdout) => {
      if (error && error.code !== 1) reject(error)
      else resolve(JSON.parse(stdout).diagnostics)
    })
  })
}

function expectRejected(title: string, file: string, rule: string): void {
  it(title, () => {
    expect(violations.get(file)).toEqual([rule])
  })
}

function expectAllowed(title: string, file: string): void {
  it(title, () => {
    expect(violations.get(file)).toBeUndefined()
  })
}

describe('the linter', () => {
  const environment = 'export const home = process.env\n'
  const inLib = plant('src/lib', environment)
  expectRejected('rejects process.env', inLib, 'node(no-process-env)')
  expectAllowed(
    'allows process.env in the table of settings',
    plant('src/cmd', environment, 'settings.ts'),
  )

  plant('src/lib', `export { b as a } from './right.ts'\n`, 'left.ts')
  const right = plant('src/lib', `export { a as b } from './left.ts'\n`, 'right.ts')
  expectRejected('rejects an import cycle', right, 'import(no-cycle)')

  for (const folder of ['src/lib', 'clients/cli/src', 'clients/typescript/src']) {
    plant(folder, `import type { B } from './b.ts'\nexport type A = B | null\n`, 'a.ts')
    const b = plant(folder, `import type { A } from './a.ts'\nexport type B = A | 1\n`, 'b.ts')
    expectRejected(`rejects a cycle of types in ${folder}`, b, 'import(no-cycle)')
  }

  const long = Array.from({ length: 60 }, (_, line) => `  console.log(${line})`).join('\n')
  for (const [rule, text] of [
    ['typescript(no-explicit-any)', 'export const a: any = 1\n'],
    ['typescript(no-non-null-assertion)', 'export const b = (a?: number): number => a!\n'],
    ['eslint(max-params)', 'export const c = (a: 1, b: 2, d: 3, e: 4) => [a, b, d, e]\n'],
    ['eslint(max-lines-per-function)', `export function f(): void {\n${long}\n}\n`],
  ] as const) {
    expectRejected(`rejects a violation of ${rule}`, plant('src/lib', text), rule)
  }
})
