import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { atEnd } from './cleanup.js';

/**
 * Passes each connection on to the next of several servers on loopback, skipping those that do not listen: a minimal web
 * server in front of replicas. Closed at the end of the test file.
 */
export async function startProxy(urls: () => readonly string[]): Promise<{ url: string }> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    turn += 1;
    open.add(client);
    client.on('error', () => client.destroy()).on('close', () => open.delete(client));
    passOn(client, urls(), turn);
  });
  atEnd(() => {
    server.close();
    for (const client of open) client.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function passOn(client: Socket, urls: readonly string[], turn: number, tries = urls.length): void {
  if (tries === 0) return void client.destroy();
  const { hostname, port } = new URL(urls[turn % urls.length]!);
  const server = connect(Number(port), hostname);
  const next = () => passOn(client, urls, turn + 1, tries - 1);
  server.once('error', next);
  server.once('connect', () => {
    server.off('error', next).on('error', () => client.destroy());
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  });
}
