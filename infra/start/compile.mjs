// `npm run build:backend` begins with this: each module of the server as JavaScript, as `.swcrc` says.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transformFile } from '@swc/core';

const target = 'dist/backend';

await rm(target, { recursive: true, force: true });
const files = await readdir('backend', { recursive: true });
const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
await Promise.all(
  sources.map(async (source) => {
    const file = path.join(target, source.replace(/ts$/, 'js'));
    const folder = path.dirname(file);
    const from = path.join('backend', source);
    const { code, map } = await transformFile(from, { sourceFileName: path.relative(folder, from) });
    await mkdir(folder, { recursive: true });
    await writeFile(file, `${code}\n//# sourceMappingURL=${path.basename(file)}.map`);
    await writeFile(`${file}.map`, map);
  }),
);
