import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Config } from '../../../platform/config/env.js';
import { id } from '../../../platform/http/common.api.js';
import { Secrets } from './secrets.service.js';

const withKey = () => new Secrets(Object.assign(new Config(), { masterKey: randomBytes(32) }));
const secrets = withKey();
const plain = Buffer.from('uma chave');

describe('encrypted fields of accounts', () => {
  it('can be decrypted only in their own row, with the same master key, and unchanged', () => {
    const sealed = secrets.seal(plain, 'row');
    expect(secrets.open(sealed, 'row')).toEqual(plain);

    expect(() => secrets.open(sealed, 'another')).toThrow();
    expect(() => withKey().open(sealed, 'row')).toThrow();
    for (let n = 0; n < sealed.length; n += 1) {
      const changed = Buffer.from(sealed);
      changed[n]! ^= 1;
      expect(() => secrets.open(changed, 'row')).toThrow();
    }
  });

  it('have a different ciphertext each time', () => {
    expect(secrets.seal(plain, 'row')).not.toEqual(secrets.seal(plain, 'row'));
  });

  it('can be looked up by a fingerprint, which depends on the master key', () => {
    expect(secrets.fingerprint('11144477735')).toEqual(secrets.fingerprint('11144477735'));
    expect(secrets.fingerprint('11144477735')).not.toEqual(secrets.fingerprint('11144477736'));
    expect(secrets.fingerprint('11144477735')).not.toEqual(withKey().fingerprint('11144477735'));
  });

  it('give ids that a job accepts: the same for the same text, and only with the same master key', () => {
    for (let n = 0; n < 50; n += 1) expect(id.safeParse(secrets.idOf(`guessing ${n}`)).success).toBe(true);
    expect(secrets.idOf('a')).toBe(secrets.idOf('a'));
    expect(secrets.idOf('a')).not.toBe(withKey().idOf('a'));
  });
});
