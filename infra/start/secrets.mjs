import { randomBytes } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stateFolder } from './folder.mjs';
import { ExpectedError } from './expected-error.mjs';

const file = path.join(stateFolder, 'secrets.json');

/**
 * The secrets of this folder, created on the first start: `{ masterKey, passwords: { superuser, owner, app, projector } }`.
 * The master key is 32 random bytes in base64: without it the personal data in the database cannot be read.
 */
export async function folderSecrets() {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text) return JSON.parse(text);
  if (await stat(path.join(stateFolder, 'postgres/data')).catch(() => null)) {
    throw new ExpectedError(
      `falta ${file}, com as chaves do banco desta pasta. Recupere o arquivo, ou apague ${stateFolder} para começar do zero.`,
    );
  }
  const password = () => randomBytes(24).toString('base64url');
  const secrets = {
    masterKey: randomBytes(32).toString('base64'),
    passwords: { superuser: password(), owner: password(), app: password(), projector: password() },
  };
  await writeFile(`${file}.part`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(`${file}.part`, file);
  return secrets;
}
