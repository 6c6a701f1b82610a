import { chmod, chown, cp, mkdir, readdir, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { ExpectedError } from './expected-error.mjs';

// Postgres refuses to run as root, so root starts it as another account. That account must be able to read the programs
// and the data: they cannot stay in a clone under /root, or in another folder that only root may enter.
const outside = '/var/lib/rende';

/** The account that Postgres runs as; null: the account of this process. */
export async function postgresAccount(dataFolder) {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(dataFolder).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const known = await findAccount('postgres');
  if (known) return known;
  await promisify(execFile)('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch(
    () => {},
  );
  const account = (await findAccount('postgres')) ?? (await findAccount('nobody'));
  if (!account)
    throw new ExpectedError('não há usuário comum para o Postgres. Rode npm start como um usuário comum.');
  return account;
}

async function findAccount(name) {
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  if (!line) return null;
  const [, , uid, gid] = line.split(':').map(Number);
  return { uid, gid };
}

/**
 * Creates the folder of a cluster; if the account cannot enter its parent folder, creates a folder elsewhere and links to
 * it. An existing folder with a cluster is kept; one without is replaced.
 */
export async function makeHome(folder, account) {
  const existing = await realpath(folder).catch(() => null);
  if (existing && (await stat(path.join(existing, 'data')).catch(() => null))) return existing;
  let home = folder;
  if (account && !(await canReach(path.dirname(folder), account))) {
    home = path.join(outside, randomUUID());
    console.log(
      `Rende: os dados ficam em ${home}, porque o Postgres não pode entrar em ${path.dirname(folder)}.`,
    );
  }
  await mkdir(home, { recursive: true, mode: 0o755 });
  if (account) await chown(home, account.uid, account.gid);
  if (home !== folder) {
    await rm(folder, { recursive: true, force: true });
    await symlink(home, folder);
  }
  return home;
}

/** The folder with Postgres' bin, lib and share: the installed one, or a copy in `home` if the account cannot read that. */
export async function placePrograms(installed, home, account) {
  const files = ['bin/postgres', 'lib', 'share'];
  const reachable = await Promise.all(files.map((file) => canReach(path.join(installed, file), account)));
  if (!account || reachable.every(Boolean)) return installed;
  const { version } = JSON.parse(await readFile(path.join(installed, '../package.json'), 'utf8'));
  const copy = path.join(home, `programs-${version}`);
  if (!(await stat(path.join(copy, 'complete')).catch(() => null))) {
    await cp(installed, copy, { recursive: true, verbatimSymlinks: true, force: true });
    await openUp(copy);
    await mkdir(path.join(copy, 'complete'));
  }
  return copy;
}

async function openUp(folder) {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const target = path.join(folder, entry.name);
    if (entry.isDirectory()) await openUp(target);
    else if (entry.isFile()) await chmod(target, (await stat(target)).mode | 0o444);
  }
}

/** Whether the account may enter every folder down to the target, and read or enter the target itself. */
async function canReach(target, account) {
  if (!account) return true;
  for (let place = target; ; place = path.dirname(place)) {
    const { mode, uid, gid } = await stat(place);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    const needed = place === target ? 0o5 : 0o1;
    if (((mode >> shift) & needed) !== needed) return false;
    if (place === path.dirname(place)) return true;
  }
}
