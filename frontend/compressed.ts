import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * Writes `.br` and `.gz` files beside every text file, which the server sends unchanged. `limit`: maximum of all of
 * them together, in kB after gzip.
 */
export function compressed({ limit = Infinity } = {}): Plugin {
  return {
    name: 'rende:compressed',
    apply: 'build',
    async writeBundle({ dir = '.' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
      const sizes = await Promise.all(
        names.map(async (name) => {
          const file = join(dir, name);
          const content = await readFile(file);
          const zipped = await gzipped(content, { level: 9 });
          await writeFile(`${file}.br`, await brotli(content));
          await writeFile(`${file}.gz`, zipped);
          return zipped.length;
        }),
      );
      const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
      if (kilobytes > limit) this.error(`over budget: ${kilobytes.toFixed(1)} of ${limit} kB gz`);
    },
  };
}
