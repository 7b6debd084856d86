import { expect, test } from 'vitest'
import { synchronous } from './synchronous.ts'

test('removes the keywords of coroutines and the prefix of asynchronous names', () => {
  const source = [
    'from .._async.runtime import AsyncSignal',
    'class AsyncReader:',
    '    async def __aenter__(self) -> AsyncReader:',
    '        async with self.open() as lines:',
    '            names = [one async for one in lines]',
    '        return await self.read(names)',
    '    def events(self) -> AsyncGenerator[WatchEvent[T], None]: ...',
    '        await self._http.aclose()',
  ]
  expect(synchronous(source.join('\n')).split('\n').slice(1)).toEqual([
    'from .._sync.runtime import Signal',
    'class Reader:',
    '    def __enter__(self) -> Reader:',
    '        with self.open() as lines:',
    '            names = [one for one in lines]',
    '        return self.read(names)',
    '    def events(self) -> Generator[WatchEvent[T], None, None]: ...',
    '        self._http.close()',
  ])
})
