import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../start/folder.mjs';

export const oldestPostgres = 'postgres:15.19-trixie';

/**
 * The image of this name in docker-compose.yml, with its tag.
 *
 * @param {string} name
 * @returns {Promise<string>}
 */
export async function composeImage(name) {
  const file = await readFile(path.join(root, 'docker-compose.yml'), 'utf8');
  return new RegExp(`image: (${name}:\\S+)`).exec(file)[1];
}
