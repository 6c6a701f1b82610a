import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../support/cleanup.js';

/** A message for one browser, as the browser decrypts it. */
interface Arrived {
  message: unknown;
  ttl: string | undefined;
  encoding: string | undefined;
  /** Claims of the sender (RFC 8292), after verifying the signature, and the sender's key. */
  claims: { aud: string; exp: number; sub: string };
  key: string;
}

/** A browser that is subscribed there. */
export interface Device {
  subscription: { endpoint: string; p256dh: string; auth: string };
  arrived: Arrived[];
  /** Requests for it, whatever the answer was. */
  asked: number;
  answer: (response: ServerResponse) => void;
}

export interface PushService {
  origin: string;
  device: () => Device;
}

/** A push service on this machine that implements RFC 8030, with browsers that decrypt by RFC 8291. */
export async function pushService(): Promise<PushService> {
  const devices = new Map<string, Device & { take: (body: Buffer, request: IncomingMessage) => void }>();
  const server = createServer((request, response) => {
    const device = devices.get(request.url!);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!device || request.method !== 'POST') return void response.writeHead(404).end();
      device.asked += 1;
      device.take(Buffer.concat(chunks), request);
      device.answer(response);
    });
  });
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    device: () => {
      const own = createECDH('prime256v1');
      const publicKey = own.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString('hex')}`;
      const device: Device & { take: (body: Buffer, request: IncomingMessage) => void } = {
        subscription: {
          endpoint: origin + path,
          p256dh: publicKey.toString('base64url'),
          auth: auth.toString('base64url'),
        },
        arrived: [],
        asked: 0,
        answer: (response) => void response.writeHead(201).end(),
        take: (body, { headers }) => {
          device.arrived.push({
            message: JSON.parse(decrypted(body, own, auth)) as unknown,
            ttl: headers.ttl as string | undefined,
            encoding: headers['content-encoding'],
            ...sender(headers.authorization ?? ''),
          });
        },
      };
      devices.set(path, device);
      return device;
    },
  };
}

/** Decrypts one record of aes128gcm (RFC 8188), whose key is derived from both keys and the secret (RFC 8291). */
function decrypted(body: Buffer, own: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const idLength = body[20]!;
  const senderKey = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  const derive = (secret: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), senderKey]);
  const secret = derive(own.computeSecret(senderKey), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  return plain.subarray(0, end).toString('utf8');
}

/** Identifies the sender: `vapid t=<JWT>, k=<public key>`. */
function sender(authorization: string): Pick<Arrived, 'claims' | 'key'> {
  const [, token, key] = /^vapid t=([^,]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head, claims, signature] = token!.split('.');
  const point = Buffer.from(key!, 'base64url');
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: part(1), y: part(33) };
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  );
  if (!isRight) throw new Error('the sender is not who they say');
  const read = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as Arrived['claims'];
  return { claims: read, key: key! };
}
