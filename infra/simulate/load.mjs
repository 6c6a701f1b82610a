// Simulates the users of a busy hour. The first message is `{ trainers, url, sockets }`, answered when the sockets are open;
// each further one is `{ reads, commands, seconds }` for a run (reads and commands per second), answered with the results.
// Requests begin when they are due, even if earlier ones are not answered, and their duration counts from then on.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { Connection } from './client.mjs';
import { command, read, unevenly } from './mix.mjs';

const CONNECTIONS = 256;
const free = [];
const waiting = [];
let someTrainer;
let hints = 0;
let url;

process.on('message', async (order) => {
  if (order.trainers) {
    url = new URL(order.url);
    someTrainer = unevenly(order.trainers);
    while (free.length < CONNECTIONS) free.push(new Connection(url));
    for (let open = 0; open < order.sockets; open += 50) {
      await Promise.all(Array.from({ length: Math.min(50, order.sockets - open) }, listen));
    }
    process.send('ready');
  } else {
    process.send(await run(order));
  }
});
process.once('disconnect', () => process.exit());

async function listen() {
  const socket = io(url.href, {
    transports: ['websocket'],
    forceNew: true,
    auth: { token: someTrainer().token },
  });
  socket.on('hint', () => (hints += 1));
  await once(socket, 'connect');
}

async function run({ reads, commands, seconds }) {
  const asked = { reads: 0, commands: 0 };
  const result = { durations: [], commandDurations: [], kinds: {}, errors: {}, stale: 0, hints: 0 };
  const running = new Set();
  const begin = (work) => {
    const done = work.finally(() => running.delete(done));
    running.add(done);
  };
  hints = 0;
  const began = performance.now();
  for (let now = began; now < began + seconds * 1000; now = performance.now()) {
    const passed = (now - began) / 1000;
    for (; asked.reads < passed * reads; asked.reads += 1) {
      begin(timed(read(someTrainer()), began + (asked.reads / reads) * 1000, result));
    }
    for (; asked.commands < passed * commands; asked.commands += 1) {
      begin(act(began + (asked.commands / commands) * 1000, result));
    }
    await delay(1);
  }
  await Promise.all(running);
  return { ...result, hints, seconds: (performance.now() - began) / 1000 };
}

/** Sends a command, and then a read by the same trainer that must include the command's result. */
async function act(due, result) {
  const trainer = someTrainer();
  const { position } = await timed(command(trainer), due, result, result.commandDurations);
  if (position) await timed(read(trainer, position), performance.now(), result);
}

async function timed({ kind, text }, due, result, more) {
  const answer = await send(text);
  const took = performance.now() - due;
  result.durations.push(took);
  more?.push(took);
  (result.kinds[kind] ??= []).push(took);
  if (answer.stale) result.stale += 1;
  if (answer.status < 200 || answer.status > 299) {
    const error = `${kind}: ${answer.status}`;
    result.errors[error] = (result.errors[error] ?? 0) + 1;
  }
  return answer;
}

async function send(text) {
  const unused = free.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
  const connection = unused.isClosed ? new Connection(url) : unused;
  const answer = await connection.ask(text);
  const usable = answer.status === 0 ? new Connection(url) : connection;
  const next = waiting.shift();
  if (next) next(usable);
  else free.push(usable);
  return answer;
}
