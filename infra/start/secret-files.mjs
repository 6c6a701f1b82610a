import { readFile } from 'node:fs/promises';
import { ExpectedError } from './expected-error.mjs';

const names = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_PROJECTOR_URL',
  'DATABASE_ADMIN_URL',
  'RENDE_MASTER_KEY',
];

/** Sets each variable `NAME` to the content of the file that `NAME_FILE` names, as the server itself does. */
export async function readSecretFiles() {
  for (const name of names) {
    const file = process.env[`${name}_FILE`];
    if (!file) continue;
    if (process.env[name]) throw new ExpectedError(`${name} e ${name}_FILE foram definidas: use uma delas.`);
    process.env[name] = await readFile(file, 'utf8').then(
      (text) => text.trim(),
      ({ code }) => {
        throw new ExpectedError(`${name}_FILE não pôde ser lida (${code}).`);
      },
    );
    delete process.env[`${name}_FILE`];
  }
}
