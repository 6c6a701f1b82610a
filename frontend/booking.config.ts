import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compressed } from './compressed.js';

/** kB after gzip that the pages of visitors may take: script and styles. */
const LIMIT = 100;

/**
 * What the pages of visitors load, apart from the application: one script and one sheet under names that the server writes into
 * its pages, for browsers of 2020.
 */
export default defineConfig({
  root: join(import.meta.dirname, 'booking'),
  plugins: [compressed({ limit: LIMIT })],
  build: {
    outDir: '../../dist/frontend',
    emptyOutDir: false,
    copyPublicDir: false,
    target: ['chrome80', 'edge80', 'firefox74', 'safari13.1'],
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: join(import.meta.dirname, 'booking/booking.ts'),
      output: { entryFileNames: 'booking.js', assetFileNames: 'booking.[ext]' },
    },
  },
});
