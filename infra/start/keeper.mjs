// Outlives the process that started it by one deed: when that one is gone (its end of the pipe closes), the scratch
// Postgres is stopped and its folder removed. Arguments: the server's process id and the folder.
import { rm } from 'node:fs/promises';
import { waitUntilGone } from './processes.mjs';

const [pid, folder] = process.argv.slice(2);
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.stdin.resume();
process.stdin.once('close', async () => {
  try {
    process.kill(Number(pid), 'SIGQUIT');
    await waitUntilGone(Number(pid), 10);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
  await rm(folder, { recursive: true, force: true });
});
