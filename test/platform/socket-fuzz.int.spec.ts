import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { signUp } from '../support/people.js';
import { startProcess } from '../support/process.js';
import { rounds } from '../support/rounds.js';
import { connectSocket } from '../support/socket.js';

const SEED = 20_261_122;

const rende = await startProcess({ env: { LOG_LEVEL: 'error' } });

/**
 * Expects that the process runs and answers, that no listener's error was trapped, and that nothing was logged as an error.
 * Trapped errors of timers are not counted, because a sweep may fail on a busy machine; the log shows them.
 */
async function expectUnharmed(): Promise<void> {
  expect((await fetch(`${rende.url}/health/ready`)).status).toBe(200);
  const metrics = await (await fetch(`${rende.opsUrl}/metrics`)).text();
  expect(metrics.match(/^rende_trapped_errors_total\{place="(?!timer").*$/gm) ?? []).toEqual([]);
  expect(rende.output()).toBe('');
}

const OPCODE = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** One WebSocket frame of a client; `first` is its first byte: flags and opcode. */
function frame(first: number, payload: Buffer, { isMasked = true } = {}): Buffer {
  const mask = randomBytes(4);
  const { length } = payload;
  const flag = isMasked ? 0x80 : 0;
  const size =
    length < 126
      ? Buffer.from([flag | length])
      : Buffer.from([flag | 126, (length >> 8) & 0xff, length & 0xff]);
  const body = isMasked ? payload.map((byte, index) => byte ^ mask[index % 4]!) : payload;
  return Buffer.concat([Buffer.from([first]), size, ...(isMasked ? [mask] : []), body]);
}

const textFrame = (text: string) => frame(0x80 | OPCODE.text, Buffer.from(text));

async function upgraded(path: string): Promise<Socket> {
  const socket = connect(Number(new URL(rende.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  return socket;
}

const LAST = 'read so far';

/** Whether the server's bytes show that it has read everything, or that it stopped reading; undefined: neither yet. */
function outcomeOf(heard: Buffer): 'read' | 'ended' | undefined {
  let at = heard.indexOf('\r\n\r\n') + 4;
  if (at < 4) return undefined;
  if (!heard.toString('latin1', 0, at).startsWith('HTTP/1.1 101 ')) return 'ended';
  while (at + 2 <= heard.length) {
    const opcode = heard[at]! & 0x0f;
    const short = heard[at + 1]! & 0x7f;
    const begin = at + (short === 126 ? 4 : 2);
    const length = short === 126 ? heard.readUInt16BE(at + 2) : short;
    const payload = heard.toString('latin1', begin, begin + length);
    if (opcode === OPCODE.close) return 'ended';
    if (opcode === OPCODE.pong && payload === LAST) return 'read';
    at = begin + length;
  }
  return undefined;
}

const PATH = '/socket.io/?EIO=4&transport=websocket';

/** Sends frames over a new connection, and waits until the server has read all of them or closed it. */
async function send(frames: readonly Buffer[]): Promise<'ended' | 'read'> {
  const socket = await upgraded(PATH);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  const over = new Promise<'ended' | 'read'>((resolve) => {
    let heard = answer;
    socket.on('data', (bytes: Buffer) => {
      heard = Buffer.concat([heard, bytes]);
      const outcome = outcomeOf(heard);
      if (outcome) resolve(outcome);
    });
    socket.on('close', () => resolve('ended'));
  });
  socket.write(Buffer.concat([...frames, frame(0x80 | OPCODE.ping, Buffer.from(LAST))]));
  const outcome = await over;
  socket.destroy();
  return outcome;
}

const anyJson = fc.jsonValue({ maxDepth: 4 });
/** Objects whose conversion to a string, number or primitive fails, and other unexpected shapes. */
const oddValue = fc.constantFrom<unknown>(
  { toString: 1 },
  { toString: null, valueOf: null },
  { toJSON: 1, length: -1 },
  { __proto__: null, constructor: { prototype: 1 } },
  { _placeholder: true, num: 0 },
  { _placeholder: true, num: -1 },
  [[[[]]]],
  '',
  'a.b.c',
  'eyJhbGciOiJub25lIn0.e30.',
  'eyJhbGciOiJFUzI1NiIsImtpZCI6eyJ0b1N0cmluZyI6MX19.e30.AA',
  '\u0000',
  -0,
  1e308,
  null,
);
const value = fc.oneof(anyJson, oddValue);
const eventName = fc.constantFrom<unknown>(
  'hint',
  'error',
  'connect',
  'disconnect',
  'newListener',
  'removeListener',
  '__proto__',
  'constructor',
  'hints',
  'committed',
  1,
  null,
  { toString: 1 },
);
const namespace = fc.constantFrom('', '/,', '/admin,', '/__proto__,', '/?token=x,', '/%00,', '/a/../b,');
const id = fc.constantFrom('', '0', '1', '-1', '99999999999999999999', '1e9');
/** Binary packets begin with the number of attachments that follow. */
const attachments = fc.constantFrom('', '0-', '1-', '2-', '-1-', '10000000-', 'x-');
const packetData = fc.oneof(
  fc.tuple(eventName, value).map((event) => JSON.stringify(event)),
  value.map((each) => JSON.stringify(each)),
  value.map((token) => JSON.stringify({ token })),
  fc.string(),
);
const socketPacket = fc
  .tuple(fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '/'), attachments, namespace, id, packetData)
  .map((parts) => parts.join(''));
const enginePacket = fc.oneof(
  { weight: 6, arbitrary: socketPacket.map((packet) => `4${packet}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('0', '1', '2', '3', '5', '6', '9', 'b', ''), fc.string())
      .map((parts) => parts.join('')),
  },
);
const anyFrame = fc.oneof(
  { weight: 12, arbitrary: enginePacket.map(textFrame) },
  {
    weight: 2,
    arbitrary: fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => frame(0x80 | OPCODE.binary, Buffer.from(bytes))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 126 }), fc.boolean())
      .map(([first, bytes, isMasked]) => frame(first, Buffer.from(bytes), { isMasked })),
  },
);

it('connections of one address that do not sign in are limited, and closed after seconds', async () => {
  const { accessToken } = await signUp(rende);
  await connectSocket(rende, { accessToken });
  const sockets = await Promise.all(Array.from({ length: 120 }, () => upgraded(PATH)));
  const statusOf = async (socket: Socket) =>
    String(((await once(socket, 'data')) as [Buffer])[0]).slice(9, 12);
  const statuses = await Promise.all(sockets.map(statusOf));
  expect([
    statuses.filter((status) => status === '101').length,
    statuses.filter((status) => status === '400').length,
  ]).toEqual([100, 20]);
  await expect(connectSocket(rende, { accessToken })).rejects.toThrow();
  await Promise.all(sockets.map(async (socket) => socket.closed || once(socket, 'close')));
  await connectSocket(rende, { accessToken });
});

describe('the socket', () => {
  it('answers a token whose conversion to text throws as it answers any wrong one', async () => {
    await expect(connectSocket(rende, { accessToken: { toString: 1 } as unknown as string })).rejects.toThrow(
      'unauthenticated',
    );
    await expectUnharmed();
  });

  it.each(['/', '/socket.io/?EIO=4&transport=polling', '/socket.io/?EIO=9&transport=websocket', PATH])(
    'survives a connection that is reset after requesting an upgrade of %s',
    async (path) => {
      const sockets = await Promise.all(Array.from({ length: 20 }, () => upgraded(path)));
      // An answer to a later request shows that the server has read the upgrade requests.
      await fetch(`${rende.url}/health/live`);
      for (const socket of sockets) socket.resetAndDestroy();
      await expectUnharmed();
    },
  );

  it('survives packets over WebSocket, signed in and not', async () => {
    const { accessToken } = await signUp(rende);
    const signedIn = textFrame(`40${JSON.stringify({ token: accessToken })}`);
    const connections = fc.sample(fc.array(anyFrame, { minLength: 15, maxLength: 15 }), {
      seed: SEED,
      numRuns: rounds(60, 600),
    });
    for (const frames of connections) {
      await send(frames);
      await send([signedIn, ...frames]);
    }
    // One frame per connection: a frame that violates the protocol ends the connection, so later ones would not be tested.
    const packets = fc.sample(enginePacket, { seed: SEED + 1, numRuns: rounds(300, 3_000) });
    for (const packet of packets) await send([textFrame(packet)]);
    await expectUnharmed();
    await connectSocket(rende, { accessToken });
  });

  it.each([
    ['packets to namespaces that there are not', textFrame('40/x,')],
    ['wrong tokens', textFrame('40{"token":"x"}')],
    ['pings of WebSocket', frame(0x80 | OPCODE.ping, Buffer.alloc(0))],
  ])('ends a connection that sends 4,000 %s, before it has read them', async (_what, each) => {
    expect(await send(Array<Buffer>(4_000).fill(each))).toBe('ended');
    await expectUnharmed();
  });

  it('survives requests of the polling transport, which it does not offer', async () => {
    const query = fc.record(
      {
        EIO: fc.constantFrom('4', '3', '', '-1'),
        transport: fc.constantFrom('polling', 'websocket', 'webtransport', '__proto__', ''),
        sid: fc.string(),
        j: fc.constantFrom('0', 'x', '__proto__'),
        t: fc.string(),
      },
      { requiredKeys: [] },
    );
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'OPTIONS', 'PUT'),
      query,
      body: fc.oneof(
        enginePacket,
        fc.array(enginePacket).map((packets) => packets.join('\u001e')),
      ),
    });
    for (const { method, query: asked, body } of fc.sample(request, {
      seed: SEED,
      numRuns: rounds(300, 3_000),
    })) {
      const answer = await fetch(`${rende.url}/socket.io/?${new URLSearchParams(asked).toString()}`, {
        method,
        ...(method === 'GET' ? {} : { body }),
      });
      expect(answer.status).toBeLessThan(500);
      await answer.arrayBuffer();
    }
    await expectUnharmed();
  });
});
