import { join } from 'node:path';
import { defineConfig } from 'vite';
import { browsersOf2020, forBrowsersOf2020 } from './browsers-of-2020.js';
import { compressed } from './compressed.js';

/** Maximum size of script and styles, in kB after gzip: with them, a page may have 60. */
const LIMIT = 40;

/**
 * Builds the files of the pages that the server writes separately from the application: one script and one style sheet with fixed
 * names, which the server writes into its pages, for browsers of 2020.
 */
export default defineConfig({
  root: join(import.meta.dirname, 'booking'),
  plugins: [compressed({ limit: LIMIT }), forBrowsersOf2020()],
  build: {
    outDir: '../../dist/frontend',
    emptyOutDir: false,
    copyPublicDir: false,
    target: browsersOf2020,
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: join(import.meta.dirname, 'booking/booking.ts'),
      output: { entryFileNames: 'booking.js', assetFileNames: 'booking.[ext]' },
    },
  },
});
