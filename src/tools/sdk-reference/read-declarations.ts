/** An exported declaration with its documentation. */
export interface DocumentedDeclaration {
  readonly kind: 'class' | 'interface' | 'type' | 'function' | 'const'
  readonly name: string
  /** The text of the doc comment. */
  readonly description: string
  /** The declaration on one line: the head of a class or interface, the whole of a type. */
  readonly signature: string
  readonly members: readonly DocumentedMember[]
}

export interface DocumentedMember {
  readonly signature: string
  readonly description: string
}

const KINDS: readonly string[] = ['class', 'interface', 'type', 'function', 'const']
const HEAD = /^export (?:declare )?(?:abstract )?(class|interface|type|function|const) (\w+)/

/**
 * Reads the exported declarations of a `.d.ts` file, as the compiler formats it: one declaration
 * per line, members indented by four spaces, and comments before them.
 */
export function readDeclarations(text: string): readonly DocumentedDeclaration[] {
  const found: DocumentedDeclaration[] = []
  let comment = ''
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith('/**')) {
      const end = closing(lines, at, (one) => one.endsWith('*/'))
      comment = commentText(lines.slice(at, end + 1))
      at = end
      continue
    }
    const [, kind, name] = HEAD.exec(line) ?? []
    if (name !== undefined && isKind(kind)) {
      const end = isComplete(line) ? at : closing(lines, at, (one) => /^\}.*;?$/.test(one))
      found.push(declaration({ kind, name, comment }, lines.slice(at, end + 1)))
      at = end
    }
    comment = ''
  }
  return found
}

interface Head {
  readonly kind: DocumentedDeclaration['kind']
  readonly name: string
  readonly comment: string
}

function declaration(
  { kind, name, comment }: Head,
  lines: readonly string[],
): DocumentedDeclaration {
  const [head = '', ...body] = lines
  const hasMembers = kind === 'class' || kind === 'interface'
  const whole = lines.map((line) => line.trim()).join(' ')
  const signature = hasMembers ? head.replace(/ \{$/, '') : whole
  return {
    kind,
    name,
    description: comment,
    signature: signature.replace(/^export (declare )?/, ''),
    members: hasMembers ? readMembers(body) : [],
  }
}

/** The members of a class or interface; hidden ones have no documentation. */
function readMembers(lines: readonly string[]): readonly DocumentedMember[] {
  const members: DocumentedMember[] = []
  let comment = ''
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith('    /**')) {
      const end = closing(lines, at, (one) => one.endsWith('*/'))
      comment = commentText(lines.slice(at, end + 1))
      at = end
      continue
    }
    const end = line.endsWith(';') ? at : closing(lines, at, (one) => /^    \S.*;$/.test(one))
    const signature = lines
      .slice(at, end + 1)
      .map((one) => one.trim())
      .join(' ')
    at = end
    if (isDocumented(signature)) {
      members.push({ signature: signature.replace(/;$/, ''), description: comment })
    }
    comment = ''
  }
  return members
}

function isDocumented(signature: string): boolean {
  return signature !== '' && !/^(#private|private |\}|override )/.test(signature)
}

function closing(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const at = lines.findIndex((line, index) => index >= from && isEnd(line))
  return at === -1 ? lines.length - 1 : at
}

function commentText(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*)\s?/, '').replace(/\s*\*\/$/, ''))
    .join(' ')
    .replaceAll(/\{@link (?:\w+\.)?(\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function isComplete(line: string): boolean {
  return line.endsWith(';') && !line.endsWith('{')
}

function isKind(kind: string | undefined): kind is DocumentedDeclaration['kind'] {
  return KINDS.some((known) => known === kind)
}
