import type { IncomingMessage } from 'node:http'
import { defineCapability } from '../capability/capability.ts'
import { authorizationOf } from '../http/auth/authenticate.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { sharedAbort } from '../lib/async/shared-abort.ts'
import { createShardHops } from './http/shard-hop.ts'
import { joinShard } from './join-shard.ts'
import { openPeerTls } from './open-peer-tls.ts'
import { SHARD_SETTINGS, shardProblems } from './shard-settings.ts'
import { SHARD_TABLES } from './shard-tables.ts'

/** Divides tenants over several installations: each request goes to the shard of its tenant. */
export const shards = defineCapability({
  name: 'shards',
  needs: { hyperfleet },
  settings: SHARD_SETTINGS,
  tables: SHARD_TABLES,
  problems: shardProblems,
  derive: ({ statementTimeoutMs, shardResponseTimeoutMs }) => ({
    shardResponseTimeoutMs: shardResponseTimeoutMs ?? statementTimeoutMs * 2,
  }),
  async open(parts) {
    const { api, config, forwarded, lifecycle, log } = parts
    const { authenticator, gateway } = api
    const { shardName: name, shardKey, shardPort } = config
    if (name === null || shardKey === null) return
    const peerTls = await openPeerTls(config, log)
    if (peerTls !== null) lifecycle.onClose('shard certificate', () => peerTls[Symbol.dispose]())
    const hops = createShardHops(shardKey, { needsCertificate: shardPort !== null })
    // Servers of other shards forward requests with the address of their client.
    forwarded.recognize((request) => hops.read(request))
    const closing = sharedAbort()
    const isAuthenticated = async (request: IncomingMessage): Promise<boolean> => {
      try {
        gateway.callerOf(request, await authenticator.authenticate(authorizationOf(request)))
        return true
      } catch {
        // The later stages respond with the error.
        return false
      }
    }
    const client = { hops, addressOf: parts.clientAddress, closing: closing.signal }
    api.mounts.push(await joinShard(parts, { name, client, isAuthenticated, peerTls }))
    api.endless.push({ name: 'forwarded requests', close: () => closing.abort() })
    if (shardPort === null || peerTls === null) return
    const { certificate, authority: clientAuthority } = peerTls
    api.peers = {
      port: shardPort,
      setting: SHARD_SETTINGS.shardPort.env,
      certificate,
      clientAuthority,
    }
  },
})
