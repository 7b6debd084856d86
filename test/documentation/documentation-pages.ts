import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Block, blocksOf } from './shell-session.ts'

/** A page of the documentation with executable examples. */
export interface Page {
  /** `watch`, or `README`. */
  readonly name: string
  readonly text: string
  readonly blocks: readonly Block[]
  /** The server settings that its examples need. */
  readonly settings: Readonly<Record<string, string>>
}

const ROOT = new URL('../../', import.meta.url)
/** `<!-- examples need: FLOTILLA_CONFIG=entities/fleet.yaml -->` */
const SETTINGS = /^<!-- examples need: (.*?) -->$/m
/** A YAML block under a line that ends with its name: "`fleet.yaml`:". */
const YAML_FILE = /`([\w.-]+\.yaml)`[^`\n]*:\n\n```yaml\n(.*?)^```$/gms
/** A JavaScript block under such a line: "`adapter.mjs`:". */
const PROGRAM = /`([\w.-]+\.mjs)`[^`\n]*:\n\n```js\n(.*?)^```$/gms

/** All pages with bash blocks, sorted by name. */
export async function pagesWithExamples(): Promise<readonly Page[]> {
  return (await readPages()).filter(({ blocks }) => blocks.length > 0)
}

/** The README and all pages, sorted by name. */
export async function readPages(): Promise<readonly Page[]> {
  return Promise.all((await pageFiles()).map(readPage))
}

/** Writes the YAML files that pages show, each into a directory named after its page. */
export async function writeShownFiles(directory: string): Promise<void> {
  for (const { name, text } of await readPages()) {
    for (const [, file = '', content = ''] of text.matchAll(YAML_FILE)) {
      await mkdir(path.join(directory, name), { recursive: true })
      await writeFile(path.join(directory, name, file), content)
    }
  }
}

/** The programs that a page shows, by file name. */
export function programsOf({ text }: Pick<Page, 'text'>): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(PROGRAM), ([, file = '', source = '']) => [file, source]))
}

/** Reads the page of a name, such as `watch`, whether or not it has examples. */
export function readDocsPage(name: string): Promise<Page> {
  return readPage(`docs/${name}.md`)
}

async function pageFiles(): Promise<readonly string[]> {
  const docs = (await readdir(new URL('docs/', ROOT))).filter((name) => name.endsWith('.md'))
  return ['README.md', ...docs.toSorted().map((name) => `docs/${name}`)]
}

async function readPage(file: string): Promise<Page> {
  const text = await readFile(new URL(file, ROOT), 'utf8')
  return {
    name: path.basename(file, '.md'),
    text,
    blocks: blocksOf(text),
    settings: settingsOf(text),
  }
}

function settingsOf(text: string): Readonly<Record<string, string>> {
  const [, list = ''] = SETTINGS.exec(text) ?? []
  const pairs = list.split(' ').filter((pair) => pair !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}
