import { describe, expect, it } from '@jest/globals';
import { Config } from '../../../platform/config/env.js';
import { Passwords } from './passwords.service.js';

const owner = { email: 'ana.souza@exemplo.com.br', nome: 'Ana Lúcia de Souza' };
const passwords = new Passwords(Object.assign(new Config(), { passwordMinLength: 8 }));

describe('a password', () => {
  it('matches its own hash only, however its letters are composed', async () => {
    const stored = await passwords.hash('Ação número 7');

    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.matches(stored, 'Ação número 7'.normalize('NFD'))).toBe(true);
    expect(await passwords.matches(stored, 'ação número 7')).toBe(false);
  });

  it('of an unknown account never matches, and takes as long as any other', async () => {
    const ends: string[] = [];
    const hashes = Array.from({ length: 12 }, (_, i) =>
      passwords.hash(`password ${i}`).then(() => ends.push('known')),
    );
    const unknown = passwords.matches(null, 'password').then((matches) => {
      ends.push('unknown');
      return matches;
    });

    expect(await unknown).toBe(false);
    await Promise.all(hashes);
    expect(ends.indexOf('unknown')).toBeGreaterThan(6);
    const [ofNobody, ofSomebody] = [
      await Reflect.get(passwords, 'nobodys'),
      await passwords.hash('password'),
    ];
    expect(`${ofNobody}`.split('$').slice(0, 4)).toEqual(ofSomebody.split('$').slice(0, 4));
  });

  it('is not hashed if too many are waiting: the caller gets 429 with Retry-After', async () => {
    const busy = new Passwords(Object.assign(new Config(), { passwordMinLength: 8 }));
    Object.assign(busy, { hashing: 3, waiting: Array(600).fill(() => undefined) });
    await expect(busy.matches(null, 'password')).rejects.toMatchObject({ status: 429, retryAfter: 10 });
  });

  it('has the length that is configured, counted in characters', () => {
    expect(() => passwords.refuseWeak('ñandú🦩x', owner)).toThrow('at least 8 characters');
    expect(() => passwords.refuseWeak('ñandú🦩xy', owner)).not.toThrow();
  });

  it.each([
    'ana.souza@exemplo.com.br',
    'ana.souza',
    'AnaSouza1990',
    'Souza@2026',
    'ana lucia de souza',
    'AnaLúciadeSouza!',
    'Lúcia@2026',
    'rende2026',
    'RendeRende',
    'R-e-n-d-e-rende1',
    'rende12345678',
    'aaaaaaaaaa',
    '••••••••••',
    'AaAaAaAaAa',
    'a.n.a.s.o.u.z.a',
    'R e n d e 2026',
    '1-1-1-1-1-1',
  ])('of a user is not %j', (password) => {
    expect(() => passwords.refuseWeak(password, owner)).toThrow('Escolha uma senha que não seja seu nome');
  });

  it.each([
    'Lagoa-Azul-42',
    'anacardo do quintal',
    'a souza rende muito bem',
    'rendeira de bilro',
    'cama na sala',
    '1$%&/()=1',
  ])('of a user may be %j, which is more than their name and the product', (password) => {
    expect(() => passwords.refuseWeak(password, owner)).not.toThrow();
  });
});
