import { createHash } from 'node:crypto';
import { access, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './folder.mjs';
import { ExpectedError } from './expected-error.mjs';
import { npm } from './processes.mjs';

/**
 * Arguments with which Node runs the server; the image has the same, and `npm run bench` uses the same heap sizes. The
 * space for young objects is 32 MiB instead of V8's 16 MiB, because the objects of a list live until its answer is sent:
 * reading lists then costs a fifth less CPU, for up to 48 MiB more memory.
 */
export const serverArguments = ['--max-semi-space-size=32', 'dist/backend/server.cjs'];

const common = ['package.json', 'package-lock.json', 'tsconfig.json'];
const parts = {
  backend: {
    label: 'o servidor',
    sources: ['.swcrc', 'backend', 'nest-cli.json', 'infra/start/server.rolldown.mjs', ...common],
    counts: (file) => !file.endsWith('.spec.ts'),
    result: 'dist/backend/server.cjs',
  },
  frontend: {
    label: 'as telas',
    sources: ['backend', 'frontend', ...common],
    counts: (file) => !file.startsWith('backend') || file.endsWith('.api.ts'),
    result: 'dist/frontend/index.html',
  },
};

/** Builds the parts that changed since their last complete build. Does nothing in an image, which has no sources. */
export async function ensureBuilt(names = Object.keys(parts), { stop } = {}) {
  if (!(await exists('backend'))) return;
  await Promise.all(names.map((name) => build(name, stop)));
}

async function build(name, stop) {
  const { label, sources, counts, result } = parts[name];
  const record = path.join(root, `dist/${name}.sha256`);
  const wanted = await fingerprint(sources, counts);
  const built = await readFile(record, 'utf8').catch(() => null);
  if (built === wanted && (await exists(result))) return;

  console.log(`Rende: construindo ${label}…`);
  await rm(record, { force: true });
  /** What the build says, which matters only if it fails. */
  const said = [];
  try {
    await npm(['run', '--silent', `build:${name}`], {
      cwd: root,
      stop,
      stdio: ['ignore', 'pipe', 'pipe'],
      onOutput: (chunk) => said.push(chunk),
      // Pages are always built for production, whatever NODE_ENV the server runs with.
      env: { ...process.env, NODE_ENV: 'production' },
    });
  } catch (error) {
    if (stop?.aborted) throw error;
    process.stderr.write(Buffer.concat(said));
    throw new ExpectedError(`não foi possível construir ${label} (${error.message}). O motivo está acima.`);
  }
  await writeFile(record, wanted);
}

function exists(file) {
  return access(path.join(root, file)).then(
    () => true,
    () => false,
  );
}

/** A hash of the files under these folders of the project. */
export async function fingerprint(sources, counts = () => true) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of (await filesUnder(source)).filter(counts)) {
      hash
        .update(`${file}\0`)
        .update(await readFile(path.join(root, file)))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/** The files under a folder of the project (or the file itself), by their paths from the root, in a fixed order. */
async function filesUnder(source) {
  const target = path.join(root, source);
  if ((await stat(target)).isFile()) return [source];
  const entries = await readdir(target, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}
