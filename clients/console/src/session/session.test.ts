import { describe, expect, it } from 'vitest'
import { observedFetch } from './observed-fetch.ts'
import { Session } from './session.ts'

/** The parts of `Storage` that the session uses. */
function storage(): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    clear: () => values.clear(),
    getItem: (key) => values.get(key) ?? null,
    key: () => null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => void values.set(key, value),
  }
}

function newSession() {
  const places = { tab: storage(), device: storage() }
  return { places, session: new Session(places) }
}

describe('the session', () => {
  it('keeps a token in the tab, or on the device if the user chose it', () => {
    const { places, session } = newSession()
    session.accept('one', false)
    expect([places.tab.length, places.device.length]).toEqual([1, 0])
    session.accept('two', true)
    expect([places.tab.length, places.device.length]).toEqual([0, 1])
    expect(new Session(places).currentToken()).toBe('two')
  })

  it('lets requests wait for a new token after the server rejected the current one', async () => {
    const { session } = newSession()
    session.accept('old', false)
    session.reject('old')
    expect(session.needsToken).toBe(true)
    const waiting = Promise.all([session.token(), session.token()])
    session.accept('new', false)
    expect(await waiting).toEqual(['new', 'new'])
    expect(session.needsToken).toBe(false)
  })

  it('ignores the rejection of a token that was replaced meanwhile', () => {
    const { session } = newSession()
    session.accept('new', false)
    session.reject('old')
    expect(session.needsToken).toBe(false)
  })

  it('asks for a token if a request without one is rejected', async () => {
    const { session } = newSession()
    const send = observedFetch(session, () => Promise.resolve(new Response('', { status: 401 })))
    await send('http://127.0.0.1/')
    expect(session.needsToken).toBe(true)
  })

  it('knows which token the server rejected', async () => {
    const { session } = newSession()
    session.accept('current', false)
    const send = observedFetch(session, () => Promise.resolve(new Response('', { status: 401 })))
    await send('http://127.0.0.1/', { headers: { Authorization: 'Bearer old' } })
    expect(session.needsToken).toBe(false)
    await send('http://127.0.0.1/', { headers: { Authorization: 'Bearer current' } })
    expect(session.needsToken).toBe(true)
  })

  it('forgets the token at the end', () => {
    const { places, session } = newSession()
    session.accept('one', true)
    session.signOut()
    expect([session.currentToken(), places.device.length]).toEqual(['', 0])
  })
})
