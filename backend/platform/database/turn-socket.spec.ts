import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { TurnSocket } from './turn-socket.js';

let server: Server;
let other: Socket;
let socket: TurnSocket;

beforeEach(async () => {
  server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  socket = new TurnSocket();
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  [other] = (await accepted) as [Socket];
});

afterEach(() => {
  socket.destroy();
  other.destroy();
  server.close();
});

function send(...texts: string[]): void {
  for (const text of texts) {
    socket.cork();
    socket.write(text);
    socket.uncork();
  }
}

it('sends together what is sent in a turn', async () => {
  send('one', 'two', 'three');
  expect(String((await once(other, 'data'))[0])).toBe('onetwothree');
  send('four');
  expect(String((await once(other, 'data'))[0])).toBe('four');
});

it.each([
  ['before it is told', (ask: () => void) => ask()],
  ['as it is told', (ask: () => void) => process.nextTick(ask)],
])('closes when the other side has ended, though something was asked %s', async (_when, then) => {
  socket.on('error', () => undefined).resume();
  socket.once('end', () => then(() => send('too late')));
  const closed = once(socket, 'close');
  other.end();
  await closed;
});
