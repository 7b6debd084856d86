import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import react from '@vitejs/plugin-react'
import { compressedCopies } from './build/compressed-copies.ts'

/** The server that `npm run dev` of this folder uses. It compares the origin of a page with `Host`. */
const PROXY = { target: 'http://127.0.0.1:8000', changeOrigin: false }

const ABSENT = fileURLToPath(new URL('build/absent-package.ts', import.meta.url))

export default defineConfig({
  base: '/console/',
  // `Plane.kubernetes()` of the SDK loads a package for Node that the console does not use.
  resolve: { alias: { '@kubernetes/client-node': ABSENT } },
  plugins: [react(), compressedCopies()],
  build: {
    target: 'es2023',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': PROXY, '/apis': PROXY, '/clusters': PROXY } },
})
