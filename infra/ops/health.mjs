// The image's health check: 0 where the server is ready. One that was alive and says nothing any more is killed at the third
// look, which ends its container, so that it is started again: Docker by itself only calls it unhealthy. One that answers is
// left alone, however little it can do: a database that is away comes back without that. Docker runs this beside the server,
// whose parent is the container's first process, or the one that the first argument names.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LOOKS = 3;
/** Docker gives up a check after five seconds. */
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
} else await killTheSilent();
process.exit(ready?.ok ? 0 : 1);

/** Counts only what was alive before: one that starts takes the time it needs. */
async function killTheSilent() {
  const server = await serverOf(parent);
  const [id, silent] = (await readFile(state, 'utf8').catch(() => '')).split(' ');
  if (!server || id !== server.id) return;
  const looks = Number(silent) + 1;
  await writeFile(state, `${server.id} ${looks}`);
  if (looks < LOOKS) return;
  console.log(`The server said nothing ${LOOKS} times: it is killed.`);
  process.kill(server.pid, 'SIGKILL');
}

/** The process under this one; its id tells it from one that had the same number before. */
async function serverOf(ppid) {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name in brackets may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[1] === ppid) return { pid: Number(pid), id: `${pid}/${fields[19]}` };
  }
  return undefined;
}
