import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { encodeRefreshToken, parseRefreshToken } from './refresh-token.codec.js';

const key = randomBytes(32);
const sessionId = randomUUID();

describe('a refresh token', () => {
  it.each([0, 1, 127, 128, 300, 2 ** 31, 2 ** 40])('carries its session and the counter %d', (counter) => {
    const token = parseRefreshToken(encodeRefreshToken(sessionId, counter, key));

    expect(token).toMatchObject({ sessionId, counter });
    expect(token?.isSignedWith(key)).toBe(true);
  });

  it('is refused by the key of another session', () => {
    const token = parseRefreshToken(encodeRefreshToken(sessionId, 7, key));

    expect(token?.isSignedWith(randomBytes(32))).toBe(false);
  });

  it('has the layout of the reference server', () => {
    const token = encodeRefreshToken('00112233-4455-6677-8899-aabbccddeeff', 300, Buffer.alloc(32, 7));

    expect(Buffer.from(token, 'base64url').toString('hex')).toMatch(
      /^0000112233445566778899aabbccddeeffac02[0-9a-f]{40}$/,
    );
  });

  it('is refused when any one bit is flipped', () => {
    const bytes = Buffer.from(encodeRefreshToken(sessionId, 300, key), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3]! ^= 1 << (bit & 7);

      expect(parseRefreshToken(forged.toString('base64url'))).toBeNull();
    }
  });

  it.each(['', 'abc', 'not a token', '=', 'A'.repeat(50), 'é'.repeat(60), 'A'.repeat(5000)])(
    'is refused when it is %j',
    (text) => {
      expect(parseRefreshToken(text)).toBeNull();
    },
  );

  it('is refused with padding or a second spelling of the same bytes', () => {
    const token = encodeRefreshToken(sessionId, 1, key);

    expect(parseRefreshToken(`${token}=`)).toBeNull();
    expect(parseRefreshToken(`${token}\n`)).toBeNull();
  });
});
