import { defineConfig } from 'vite'
import react from '@vitejs/plugin-react'
import { compressedCopies } from './build/compressed-copies.ts'

/** The server that `npm run dev` of this folder uses. It compares the origin of a page with `Host`. */
const PROXY = { target: 'http://127.0.0.1:8000', changeOrigin: false }

export default defineConfig({
  base: '/console/',
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
