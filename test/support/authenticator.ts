import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What a ceremony asks of the device. */
export interface Options {
  challenge: string;
  rp?: { id?: string };
  rpId?: string;
  user?: { id: string };
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();

/** CBOR of the few shapes that an authenticator sends. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number) => {
    if (n < 24) return Buffer.from([(major << 5) | n]);
    return Buffer.from(n < 256 ? [(major << 5) | 24, n] : [(major << 5) | 25, n >> 8, n & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flat() as number[];
  return Buffer.concat([head(5, value.size), ...entries.map(cbor)]);
}

/** A phone with one passkey, and the browser on it. What a test changes is what a wrong or a stolen one would send. */
export class Authenticator {
  /** Signatures that it has made; 0 for one that does not count. */
  counter = 0;
  /** Whether it has checked the person, by a finger or a PIN. */
  verifies = true;
  site = '';
  handle = '';
  readonly id = randomBytes(16);
  private keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(public origin: string) {}

  /** The same passkey id with other keys. */
  forget(): void {
    this.keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  create({ challenge, rp, user }: Options) {
    this.site = rp!.id!;
    this.handle = user!.id;
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const coordinate = (text?: string) => Buffer.from(text!, 'base64url');
    const key = cbor(
      new Map<number, unknown>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as [number, number][]),
        ...([
          [-2, coordinate(x)],
          [-3, coordinate(y)],
        ] as [number, Buffer][]),
      ]),
    );
    const length = Buffer.from([0, this.id.length]);
    const authData = this.data(0x40, Buffer.concat([Buffer.alloc(16), length, this.id, key]));
    const object = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.credential({
      clientDataJSON: this.client('webauthn.create', challenge),
      attestationObject: object.toString('base64url'),
      transports: ['internal', 'hybrid'] as ('internal' | 'hybrid')[],
    });
  }

  get({ challenge, rpId }: Options) {
    this.site = rpId!;
    const authenticatorData = this.data(0);
    const clientDataJSON = this.client('webauthn.get', challenge);
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return this.credential({
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
      userHandle: this.handle,
    });
  }

  private data(flags: number, rest: Buffer = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const all = flags | 0x01 | (this.verifies ? 0x04 : 0);
    return Buffer.concat([sha256(this.site), Buffer.from([all]), counter, rest]);
  }

  private client(type: string, challenge: string): string {
    const data = { type, challenge, origin: this.origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }

  private credential<Response>(response: Response) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, response, clientExtensionResults: {} };
  }
}
