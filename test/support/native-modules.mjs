import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The build and the packages: the names that a module exports may come from other modules. */
const version = ['dist/backend.sha256', 'package-lock.json'].map((file) => readFileSync(file, 'utf8')).join();

/**
 * Transform of built modules of the backend and of packages. Jest would load all thousands of them again for each test file,
 * which costs more than most files' tests. Each becomes a module with the same exports that Node loads once per worker.
 */
export default {
  getCacheKey: (_source, file) => createHash('sha256').update(`${version} ${file}`).digest('hex'),
  processAsync: async (_source, file) => {
    const address = pathToFileURL(file).href;
    const names = Object.keys(await import(address));
    // Some names are reserved words, such as zod's "catch".
    const exported = names.map(
      (name, at) => `const export${at} = loaded.${name}; export { export${at} as ${name} };`,
    );
    return {
      code: [`const loaded = await loadNatively(${JSON.stringify(address)});`, ...exported].join('\n'),
    };
  },
};
