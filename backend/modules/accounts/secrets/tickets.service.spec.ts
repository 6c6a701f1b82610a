import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Config } from '../../../platform/config/env.js';
import { Tickets } from './tickets.service.js';

const withKey = () => new Tickets(Object.assign(new Config(), { masterKey: randomBytes(32) }));
const tickets = withKey();

describe('a ticket', () => {
  it('returns its id each time it is read', () => {
    const id = randomUUID();

    expect(tickets.ticket('mail', id)).toMatch(/^[\w-]{43}$/);
    expect(tickets.ticket('mail', id)).toBe(tickets.ticket('mail', id));
    expect(tickets.read('mail', tickets.ticket('mail', id))).toBe(id);
  });

  it('is not accepted with another purpose, another key, or one changed character', () => {
    const ticket = tickets.ticket('mail', randomUUID());

    expect(tickets.read('code', ticket)).toBeNull();
    expect(withKey().read('mail', ticket)).toBeNull();
    for (let at = 0; at < ticket.length - 1; at += 1) {
      const changed = ticket.slice(0, at) + (ticket[at] === 'A' ? 'B' : 'A') + ticket.slice(at + 1);
      expect(tickets.read('mail', changed)).toBeNull();
    }
    for (const nonsense of ['', 'a', `${ticket}AA`, ticket.slice(2), 'ç'.repeat(43)])
      expect(tickets.read('mail', nonsense)).toBeNull();
  });
});

it('the six digits of an id are always the same, and all digits are equally likely', () => {
  const counts = Array<number>(10).fill(0);
  for (let n = 0; n < 5_000; n += 1) {
    const id = randomUUID();
    const digits = tickets.digits(id);
    expect(digits).toMatch(/^\d{6}$/);
    expect(tickets.isDigitsOf(id, digits)).toBe(true);
    counts[Number(digits[0])]! += 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(350);
  const id = randomUUID();
  expect(
    tickets.isDigitsOf(id, withKey().digits(id) === tickets.digits(id) ? 'x' : withKey().digits(id)),
  ).toBe(false);
  expect(tickets.isDigitsOf(id, '12345')).toBe(false);
});
