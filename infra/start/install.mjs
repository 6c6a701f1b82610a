import { createHash } from 'node:crypto';
import { access, constants, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './folder.mjs';
import { ExpectedError } from './expected-error.mjs';
import { npm } from './processes.mjs';

const record = path.join(root, 'node_modules/.rende-lock');

// These options override the user's npm settings: the project needs the development packages, and the install script of the
// Postgres package.
const options = '--no-save --no-audit --no-fund --include=dev --ignore-scripts=false --loglevel=error'.split(
  ' ',
);

/** Installs the packages of package-lock.json, unless exactly these are completely installed. */
export async function ensureInstalled({ stop } = {}) {
  const lock = createHash('sha256')
    .update(await readFile(path.join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  const installed = await readFile(record, 'utf8').catch(() => null);
  if (installed === lock) return;

  await access(root, constants.W_OK);
  console.log('Rende: instalando as dependências (na primeira vez leva alguns minutos)…');
  await rm(record, { force: true });
  try {
    await npm(['install', ...options], { cwd: root, stop });
  } catch (error) {
    if (stop?.aborted) throw error;
    throw new ExpectedError(`a instalação não terminou (${error.message}). Verifique a rede e rode de novo.`);
  }
  await writeFile(`${record}.part`, lock);
  await rename(`${record}.part`, record);
}
