import { createContentCodec } from '../fleets/access/content-codec.ts'
import { createSecretCodec } from '../planes/access/secrets/secret-codec.ts'
import type { BodyCodec, CodecOf } from '../store/objects/model/body-codec.ts'
import type { Envelope } from '../lib/encryption/envelope.ts'

/** Encrypts secrets, also those in the content of fleets, if there is a key. */
export function storageCodecs(envelope: Envelope | null): CodecOf {
  const codecs = new Map<string, BodyCodec>([
    ['secrets', createSecretCodec(envelope)],
    ['fleets.kplane.dev', createContentCodec(envelope, ['spec', 'template'])],
    ['scenarios.kplane.dev', createContentCodec(envelope, ['spec'])],
  ])
  return (resource) => codecs.get(resource) ?? null
}
