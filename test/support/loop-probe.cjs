/**
 * Preloaded into a process of the application: tells, at the port LOOP_PROBE, for how many milliseconds its first thread computed at
 * most in one turn of the event loop since it was last asked, however busy the machine is.
 */
const { readFileSync } = require('node:fs');
const { createServer } = require('node:http');
const process = require('node:process');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const computed = () =>
    Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  let [before, longest] = [computed(), 0];
  const turn = () => {
    const now = computed();
    longest = Math.max(longest, now - before);
    before = now;
  };
  setInterval(turn, 1).unref();
  const server = createServer((_request, answer) => {
    turn();
    answer.end(String(longest));
    longest = 0;
  });
  server.listen(Number(process.env.LOOP_PROBE), '127.0.0.1').unref();
}
