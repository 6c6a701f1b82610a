// Cleans up after its parent process: when the parent has ended (its end of the pipe closes), stops the temporary Postgres,
// if it runs, and removes its folder. Argument: the folder.
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { waitUntilGone } from './processes.mjs';

const [folder] = process.argv.slice(2);
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.stdin.resume();
process.stdin.once('close', async () => {
  const lock = await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(lock.split('\n')[0]);
  try {
    if (pid > 0) {
      process.kill(pid, 'SIGQUIT');
      await waitUntilGone(pid, 10);
    }
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
  await rm(folder, { recursive: true, force: true });
});
