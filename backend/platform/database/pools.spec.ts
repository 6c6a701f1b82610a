import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import pg from 'pg';
import { expect, it } from '@jest/globals';
import { toProblem } from '../http/failure.js';
import { createPool, instantFrom } from './pools.js';

const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

it('an instant is parsed as pg parses it, to the millisecond', () => {
  const day = fc.date({
    min: new Date('0100-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{0,5}[1-9]$/));
  const zone = fc.constantFrom('+00', '-03', '+05:30');
  fc.assert(
    fc.property(day, fraction, zone, (at, digits, offset) => {
      const text = `${at.toISOString().slice(0, 19).replace('T', ' ')}${digits}${offset}`;
      expect(instantFrom(text)).toEqual(parse(text));
    }),
  );
});

it.each(['0001-02-03 04:05:06+00', '12345-01-01 00:00:00+00', '0044-03-15 12:00:00+00 BC', 'infinity'])(
  '%s is parsed as pg parses it',
  (text) => expect(instantFrom(text)).toEqual(parse(text)),
);

const message = (type: string, body: string) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body, 'latin1')]);
};

/** What Postgres says before a connection is ready: authenticated, its state, ready. */
const greeting = (isStandby: boolean) =>
  Buffer.concat([
    message('R', '\0\0\0\0'),
    message('S', `in_hot_standby\0${isStandby ? 'on' : 'off'}\0`),
    message('Z', 'I'),
  ]);

it('statements on a connection that leads to a standby fail, and the next one is opened anew', async () => {
  const states = [true, true, false];
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(greeting(states.shift()!));
      socket.once('data', () => socket.write(message('E', 'SERROR\0C22012\0Mdivision by zero\0\0')));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = createPool(`postgres://rende_app:senha@127.0.0.1:${port}/rende`, {
    max: 1,
    searchPath: 'public',
    applicationName: 'test',
  });
  const failures: unknown[] = [];
  for (let n = 0; n < 3; n += 1)
    failures.push(await pool.query('select 1 / 0').catch((error: unknown) => error));
  expect(failures.slice(0, 2).map((failure) => toProblem(failure).code)).toEqual(['busy', 'busy']);
  expect(failures[2]).toMatchObject({ code: '22012' });
  await pool.end();
  server.close();
});
