import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Config } from '../config/env.js';
import { MailAddresses } from './mail-addresses.js';

const withKey = () => new MailAddresses(Object.assign(new Config(), { masterKey: randomBytes(32) }));
const addresses = withKey();
const link = {
  tenantId: randomUUID(),
  personId: randomUUID(),
  addressHash: addresses.hashOf('ana@exemplo.com.br'),
  kind: 'vencimentos',
};

it('the token of a link says what it is about, and only who has the key can make one', () => {
  const token = addresses.tokenOf(link);
  expect(addresses.read(token)).toEqual(link);
  expect(withKey().read(token)).toBeNull();
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'E' : 'A';
    expect(addresses.read(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
  }
  for (const none of ['', 'x', `${token}x`, token.slice(0, 86)]) expect(addresses.read(none)).toBeNull();
  // What a path may hold.
  expect(token.length).toBeLessThanOrEqual(100);
});

it.each([
  [' Ana@Exemplo.com.br ', 'ana@exemplo.com.br', true],
  ['ana+aulas+2@exemplo.com.br', 'ana@exemplo.com.br', true],
  ['A.na.Souza+x@GoogleMail.com', 'anasouza@gmail.com', true],
  ['bia@exemplo.com.br', 'ana@exemplo.com.br', false],
  ['ana.souza@exemplo.com.br', 'anasouza@exemplo.com.br', false],
  ['+a@exemplo.com.br', '+b@exemplo.com.br', false],
])('a mailbox has one hash, however its address is written: %s and %s: %s', (one, other, isSame) => {
  expect(addresses.hashOf(one).equals(addresses.hashOf(other))).toBe(isSame);
});
