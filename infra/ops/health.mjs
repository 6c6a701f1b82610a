// The image's health check: exits 0 if the server is ready. A server that was alive and no longer answers is killed at the
// third check: that ends its container, which is then restarted, whereas Docker itself only marks it as unhealthy. A server
// that answers is never killed, even if it is not ready: a restart does not bring back a missing database. Docker runs this
// in the server's container; the server's parent is the container's first process, or the one that the first argument names.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MAX_FAILURES = 3;
/** Docker aborts a check after five seconds. */
const PATIENCE_MS = 4_000;

const parent = process.argv[2] ?? '1';
const address = `http://127.0.0.1:${process.env.METRICS_PORT || 9464}`;
const state = path.join(tmpdir(), 'rende-health');

const ask = (what) =>
  fetch(`${address}/health/${what}`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);

const [live, ready] = await Promise.all([ask('live'), ask('ready')]);
if (live) {
  const server = await serverOf(parent);
  if (server) await writeFile(state, `${server.id} 0`);
} else await killTheUnresponsive();
process.exit(ready?.ok ? 0 : 1);

/** Kills the server at the third failed check. Counts only a server that was alive before: starting may take any time. */
async function killTheUnresponsive() {
  const server = await serverOf(parent);
  const [id, failed] = (await readFile(state, 'utf8').catch(() => '')).split(' ');
  if (!server || id !== server.id) return;
  const failures = Number(failed) + 1;
  await writeFile(state, `${server.id} ${failures}`);
  if (failures < MAX_FAILURES) return;
  console.log(`The server did not answer ${MAX_FAILURES} health checks: it is killed.`);
  process.kill(server.pid, 'SIGKILL');
}

/** The child of process `ppid`; its `id` distinguishes it from an earlier process with the same number. */
async function serverOf(ppid) {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[1] === ppid) return { pid: Number(pid), id: `${pid}/${fields[19]}` };
  }
  return undefined;
}
