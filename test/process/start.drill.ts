import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** Installs one of three packages and then runs for six seconds. */
const SLOW_NPM = `
import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('node_modules/a', { recursive: true })
writeFileSync('node_modules/a/package.json', '{}')
setTimeout(() => undefined, 6000)
`

describe('npm start', () => {
  let project = ''

  /** Creates a project with the real tools, one source file and an empty console, which needs no installation. */
  beforeAll(async () => {
    project = await mkdtemp(path.join(os.tmpdir(), 'flotilla-start-'))
    const copied = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'src/tools']
    for (const file of [...copied, 'prisma/schema.prisma', 'src/sandboxes/drivers/proto']) {
      await cp(path.join(root, file), path.join(project, file), { recursive: true })
    }
    await writeFile(path.join(project, 'package-lock.json'), '{ "packages": { "": {} } }')
    await mkdir(path.join(project, 'node_modules'))
    await writeFile(path.join(project, 'node_modules/.package-lock.json'), '{ "packages": {} }')
    const packages = ['typescript', '@typescript', '@types', 'undici-types', 'esbuild', 'vite']
    for (const name of [
      ...packages,
      '@esbuild',
      'prisma',
      '@prisma',
      '@bufbuild',
      'js-yaml',
      '.bin',
    ]) {
      await symlink(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name))
    }
    await mkdir(path.join(project, 'src/cmd'))
    await writeFile(path.join(project, 'src/kind.yaml'), 'a: 1\n')
    await mkdir(path.join(project, 'openapi'))
    await mkdir(path.join(project, 'clients/typescript/src'), { recursive: true })
    await mkdir(path.join(project, 'clients/console'))
    await writeFile(path.join(project, 'clients/console/index.html'), '<p>Empty</p>\n')
    await writeProgram(`console.log('first', process.argv[2], options.banner)`)
  })

  afterAll(() => rm(project, { recursive: true, force: true }))

  function writeProgram(body: string): Promise<void> {
    const text = `export async function runFromCommandLine(options: { banner: boolean }) {\n${body}\n}\n`
    return writeFile(path.join(project, 'src/cmd/command-line.ts'), text)
  }

  /** The output of the program, and the targets that were built before. */
  async function start(): Promise<{ printed: string; built: string[] }> {
    const args = ['start', '--silent', '--', '--some']
    const { stdout, stderr } = await run('npm', args, { cwd: project })
    const built = [...stderr.matchAll(/^Building (.*) \.\.\.$/gm)].flatMap(([, name]) => name ?? [])
    return { printed: stdout, built }
  }

  it('builds all targets at the first start, and later only changed ones', async () => {
    const generated = ["Prisma's client", 'the protocol of sandbox drivers']
    const all = [...generated, 'the server', 'the console']
    expect(await start()).toEqual({ printed: 'first --some true\n', built: all })
    expect(await start()).toEqual({ printed: 'first --some true\n', built: [] })
    await writeProgram(`console.log('second', options.banner)`)
    expect(await start()).toEqual({ printed: 'second true\n', built: ['the server'] })
    expect(await start()).toEqual({ printed: 'second true\n', built: [] })
  })

  it('keeps compiled code that this version of V8 accepts', async () => {
    await start()
    const loader = path.join(project, 'dist/cmd/command-line.js')
    const { program } = await import(loader)
    expect(program.cachedDataRejected).toBe(false)
  })

  it('copies the YAML files to the build, with their JSON', async () => {
    await start()
    expect(await readFile(path.join(project, 'dist/kind.yaml'), 'utf8')).toBe('a: 1\n')
    const entries: unknown = JSON.parse(
      await readFile(path.join(project, 'dist/yaml-files.json'), 'utf8'),
    )
    expect(entries).toEqual([['a: 1\n', '{"a":1}']])
  })

  it('keeps the last good build if the sources do not compile', async () => {
    await writeProgram(`console.log('good', options.banner)`)
    await start()
    await writeProgram('const wrong: number = "text"')
    await expect(start()).rejects.toMatchObject({ stdout: expect.stringContaining('TS2322') })
    expect(await readFile(path.join(project, 'dist/cmd/program.cjs'), 'utf8')).toContain('good')
    await writeProgram(`console.log('better', options.banner)`)
    expect(await start()).toEqual({ printed: 'better true\n', built: ['the server'] })
  })

  it('replaces the whole build, without files of removed sources', async () => {
    const extra = path.join(project, 'src/extra.ts')
    await writeFile(extra, 'export const a = 1\n')
    await start()
    await rm(extra)
    await start()
    expect(await readdir(path.join(project, 'dist'))).not.toContain('extra.js')
    const left = await readdir(project)
    expect(left.filter((name) => name.startsWith('dist.'))).toEqual([])
  })

  it('prints its progress to a pipe while it installs packages', async () => {
    const clone = path.join(project, 'clone')
    for (const file of ['package.json', 'src/tools']) {
      await cp(path.join(root, file), path.join(clone, file), { recursive: true })
    }
    const names = ['node_modules/a', 'node_modules/b', 'node_modules/c']
    const packages = Object.fromEntries(names.map((name) => [name, { version: '1.0.0' }]))
    await writeFile(path.join(clone, 'package-lock.json'), JSON.stringify({ packages }))
    const npm = path.join(clone, 'npm-cli.js')
    await writeFile(npm, SLOW_NPM)
    const install =
      "import { installPackages } from './src/tools/install-packages.mjs'; await installPackages()"
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', install], {
      cwd: clone,
      env: { ...process.env, npm_execpath: npm },
    })
    const [first, ...more] = stdout.trimEnd().split('\n')
    expect(first).toBe('Installing packages (first start only) ...')
    // On a busy machine, npm may have installed nothing when the first line is printed.
    expect(more).toContainEqual(expect.stringMatching(/^ {2}1 of 3 packages after \d+ s$/))
  })

  it('exits 0 when npm receives SIGTERM', async () => {
    await writeProgram(`
      const timer = setInterval(() => undefined, 1000)
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => clearInterval(timer))
      console.log('ready', options.banner)`)
    const npm = execFile('npm', ['start', '--silent'], { cwd: project })
    npm.stdout?.on('data', (text: string) => {
      if (text.includes('ready')) npm.kill('SIGTERM')
    })
    const code = await new Promise((resolve) => npm.on('exit', resolve))
    expect(code).toBe(0)
  })
})
