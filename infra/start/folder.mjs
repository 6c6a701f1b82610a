import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExpectedError } from './expected-error.mjs';
import { processInfo } from './processes.mjs';

/** The folder of the project. */
export const root = path.resolve(fileURLToPath(import.meta.url), '../../..');

/** Files that persist between runs: the embedded Postgres, its secrets, and the lock file of a running `npm start`. */
export const stateFolder = path.join(root, '.rende');

const mark = path.join(stateFolder, 'start.json');

/**
 * Makes this process the only `npm start` of the folder. Returns a function that releases the folder, and whether an earlier
 * `npm start` was killed: its lock file is there, but its process is gone, or the process id now belongs to another process.
 */
export async function claimFolder() {
  let afterKilled = false;
  try {
    await mkdir(stateFolder).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    const own = JSON.stringify({ pid: process.pid, startedAt: (await processInfo(process.pid))?.startedAt });
    while (!(await createMark(own))) {
      const other = await readMark();
      const alive = other && (await processInfo(other.pid));
      if (alive && alive.startedAt === other.startedAt) {
        throw new ExpectedError(
          `já está rodando nesta pasta (processo ${other.pid}). Use o que está aberto ou pare-o com Ctrl-C (kill ${other.pid}).`,
        );
      }
      afterKilled = true;
      await rm(mark, { force: true });
    }
  } catch (error) {
    throw describeFolderError(error);
  }
  return { release: () => rm(mark, { force: true }), afterKilled };
}

async function createMark(content) {
  try {
    await writeFile(mark, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

async function readMark() {
  try {
    return JSON.parse(await readFile(mark, 'utf8'));
  } catch {
    return null;
  }
}

/** Turns a permission error of the file system into advice. */
export function describeFolderError(error) {
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
    return new ExpectedError(
      `sem permissão para gravar em ${error.path ?? root}. Rode como o dono da pasta, ou copie o projeto para uma pasta sua e rode lá.`,
    );
  }
  if (error.code === 'ENOSPC') {
    return new ExpectedError(`o disco de ${root} está cheio. Libere espaço e rode de novo.`);
  }
  return error;
}
