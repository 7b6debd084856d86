import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import {
  type DocumentedDeclaration,
  type DocumentedMember,
  readDeclarations,
} from './read-declarations.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const EXPORT = /^export (?:type )?\{([^}]+)\} from '\.\/([^']+)\.ts';$/gm

/** Generates docs/sdk/typescript.md from the declarations that the compiler emits. */
export async function typescriptPage(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-sdk-'))
  try {
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
    const options = ['--emitDeclarationOnly', '--outDir', folder]
    await promisify(execFile)(process.execPath, [tsc, '-p', 'clients/typescript', ...options], {
      cwd: ROOT,
    })
    return pageOf(await exportedFrom(folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The exported declarations in the order of the exports. Generated types are not included. */
async function exportedFrom(folder: string): Promise<readonly DocumentedDeclaration[]> {
  const index = await readFile(path.join(folder, 'index.d.ts'), 'utf8')
  const found: DocumentedDeclaration[] = []
  for (const [, names = '', file = ''] of index.matchAll(EXPORT)) {
    if (file.startsWith('generated/')) continue
    const text = await readFile(path.join(folder, `${file}.d.ts`), 'utf8')
    const wanted = names.split(',').map((name) => name.trim())
    found.push(...readDeclarations(text).filter(({ name }) => wanted.includes(name)))
  }
  return found
}

function pageOf(declarations: readonly DocumentedDeclaration[]): string {
  return `# TypeScript SDK reference

<!-- Generated from the doc comments of clients/typescript/src by \`npm run openapi\`. -->

The package is \`@flotilla/client\`. [Its README](../../clients/typescript/README.md) starts with an
example. Times are in milliseconds unless a name ends in \`Seconds\`. The types of the API, such as
\`Cluster\` and \`FleetSpec\`, are generated from the [OpenAPI documents](../openapi.md).

${declarations.map(section).join('\n')}`
}

/** A section of a reference with the signature, the description and the members. */
export function section({
  kind,
  name,
  description,
  signature,
  members,
}: DocumentedDeclaration): string {
  const rows = members.filter(isShown).map(row)
  const list = rows.length === 0 ? '' : `\n${rows.join('')}`
  const code = kind === 'interface' || kind === 'class' ? signature : signature.replace(/;$/, '')
  return `## ${name}\n\n\`\`\`ts\n${code}\n\`\`\`\n${description === '' ? '' : `\n${description}\n`}${list}`
}

/** Constructors without documentation are internal; the names of error classes say nothing new. */
function isShown({ signature, description }: DocumentedMember): boolean {
  return description !== '' || !/^(constructor\(|readonly name\b.*= )/.test(signature)
}

function row({ signature, description }: DocumentedMember): string {
  const shown = signature.replace(/^readonly /, '').replace(/(?<=\?: .*) \| undefined$/, '')
  return `- \`${shown}\`${textOf(description)}\n`
}

function textOf(description: string): string {
  return description === '' ? '' : `: ${description}`
}
