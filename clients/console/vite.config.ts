import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The server that `npm run dev` of this folder uses. */
const SERVER = 'http://127.0.0.1:8000'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: { target: 'es2023', emptyOutDir: true, assetsInlineLimit: 0, reportCompressedSize: false },
  server: { proxy: { '/api': SERVER, '/apis': SERVER, '/clusters': SERVER } },
})
