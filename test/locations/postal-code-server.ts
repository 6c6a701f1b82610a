import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../support/cleanup.js';

/** How a simulated provider of postal codes answers. */
export type Doing = (response: ServerResponse) => void;

export const answers =
  (body: unknown, status = 200): Doing =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
export const hangs: Doing = () => undefined;

/** A local server that simulates ViaCEP under `/ws` and BrasilAPI under `/api/cep/v2`. */
export async function postalCodeServer() {
  const state = { viaCep: hangs, brasilApi: hangs, asked: [] as string[] };
  const server = createServer((request, response) => {
    const path = request.url!;
    state.asked.push(path);
    if (/^\/ws\/\d{8}\/json\/$/.test(path)) state.viaCep(response);
    else if (/^\/api\/cep\/v2\/\d{8}$/.test(path)) state.brasilApi(response);
    else response.writeHead(400).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { state, env: { VIACEP_URL: `${origin}/ws`, BRASILAPI_URL: `${origin}/api/cep/v2` } };
}
