import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import {
  AddressRefused,
  nameServers,
  refuseUnlessPublic,
  requestPublic,
  isPublicAddress,
} from './public-request.js';

const addresses: Record<string, string[]> = {
  'inside.example': ['10.0.0.1'],
  'mixed.example': ['8.8.8.8', '127.0.0.1'],
};

let server: Socket;
let asked: string[];

/** A name server that answers only queries for IPv4 addresses of known names, and no others. */
beforeAll(async () => {
  asked = [];
  server = createSocket('udp4', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at]; at += 1 + query[at]!)
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    const [name, type] = [labels.join('.'), query.readUInt16BE(at + 1)];
    asked.push(name);
    if (!addresses[name]) return;
    const found = type === 1 ? addresses[name] : [];
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(found.length, 6);
    head.writeUInt32BE(0, 8);
    const records = found.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
    );
    server.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  nameServers.setServers([`127.0.0.1:${server.address().port}`]);
});

afterAll(() => void server.close());

it.each(Object.keys(addresses))('%s, which has an address that is not public, is refused', async (name) => {
  await expect(requestPublic(new URL(`https://${name}/`), { testOrigin: undefined })).rejects.toThrow(
    AddressRefused,
  );
});

it.each([
  'localhost',
  'localhost.',
  'LOCALHOST',
  'app.localhost',
  'printer',
  'router.lan',
  'db.internal',
  'nas.local',
  'x.home.arpa',
  'x.corp',
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '10.0.0.1',
  '[::1]',
  '[fd00::1]',
])('%s is refused before it is resolved', (host) => {
  expect(() => refuseUnlessPublic(new URL(`https://${host}/`))).toThrow(AddressRefused);
});

it.each(['api.example', 'local.example', 'localhost.example', 'mylocal.example', '8.8.8.8'])(
  '%s is resolved or connected to',
  (host) => expect(() => refuseUnlessPublic(new URL(`https://${host}/`))).not.toThrow(),
);

it('an IP address of this machine is refused before anything is sent', async () => {
  let reached = 0;
  const inside = createServer((_request, response) => {
    reached += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(inside, 'listening');
  const { port } = inside.address() as AddressInfo;
  const sent = async () => requestPublic(new URL(`http://127.0.0.1:${port}/`), { testOrigin: undefined });
  const refused = await sent().catch((error: unknown) => error);
  inside.close();
  expect([refused, reached]).toEqual([expect.any(AddressRefused), 0]);
});

it('name servers that never answer do not block the thread pool', async () => {
  const end = new AbortController();
  let ended = 0;
  const requests = Array.from({ length: 8 }, async (_, n) => {
    const url = new URL(`https://silent-${n}.example/`);
    await requestPublic(url, { testOrigin: undefined, signal: end.signal }).catch(() => (ended += 1));
  });
  await eventually(() => Promise.resolve(asked.includes('silent-0.example')), true);
  // Hashing runs on libuv's threads.
  await promisify<number, Buffer>(randomBytes)(16);
  expect(ended).toBe(0);
  nameServers.cancel();
  end.abort();
  await Promise.all(requests);
});

it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

it.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2001::1',
  '3fff::1',
  '',
  'localhost',
  '0177.0.0.1',
  '2130706433',
  '127.1',
  'fe80::1%eth0',
])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
