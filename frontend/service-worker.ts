import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Plugin, transformWithOxc } from 'vite';
import { TOKEN_PAGES, WRITTEN_PAGES } from '../backend/platform/http/token-pages.api.js';

const source = join(import.meta.dirname, 'worker/service-worker.ts');
const publicFolder = join(import.meta.dirname, 'public');

/** Writes `sw.js`: the service worker, with the names of all files of this build. */
export function serviceWorker(): Plugin {
  return {
    name: 'rende:service-worker',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const outputs = Object.values(bundle);
      const page = outputs.find(({ fileName }) => fileName === 'index.html');
      const entry = outputs.find((output) => output.type === 'chunk' && output.isEntry);
      if (page?.type !== 'asset' || !entry) this.error('the bundle has no index.html, or no entry');
      const built = outputs.map(({ fileName }) => fileName).filter((name) => name.startsWith('assets/'));
      const given = await readdir(publicFolder);
      const hash = createHash('sha256').update(built.sort().join()).update(page.source);
      for (const name of given.sort()) hash.update(name).update(await readFile(join(publicFolder, name)));
      const { code } = await transformWithOxc(await readFile(source, 'utf8'), source);
      const constants = {
        __VERSION__: hash.digest('hex').slice(0, 16),
        __FILES__: [...built, ...given].map((name) => `/${name}`),
        __ENTRY__: `/${entry.fileName}`,
        __TOKEN_PAGES__: TOKEN_PAGES,
        __WRITTEN_PAGES__: WRITTEN_PAGES,
      };
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: Object.entries(constants).reduce(
          (text, [name, value]) => text.replaceAll(name, JSON.stringify(value)),
          code,
        ),
      });
    },
  };
}
