import type { ApplyOptions } from '../commands/apply.ts'
import { loadDocuments } from '../documents/load-documents.ts'
import { readFormat } from '../output/formats.ts'
import type { Session } from '../session/session.ts'
import { writeDocuments } from './write-documents.ts'

/** Applies the objects of files. */
export async function apply(session: Session, options: ApplyOptions): Promise<void> {
  const format = readFormat(options.output, ['json', 'yaml', 'name'])
  const files = options.filename
  const documents = await loadDocuments(session, files, options)
  await writeDocuments(session, documents, { ...options, format, onlyCreate: false })
}
