import { beforeEach, describe, expect, it } from 'vitest';
import { Outbox, type Waiting } from './outbox.js';
import { NetworkError, ProblemError } from './problem.js';

const owner = { userId: 'rafaela', tenantId: 'studio' };
const write = (key: string, at: number, more: Partial<Waiting> = {}): Waiting => ({
  key,
  at,
  ...owner,
  method: 'POST',
  path: `/sessions/${key}/complete`,
  topics: ['sessions'],
  subject: key,
  effect: 'complete',
  alreadySo: 'agenda.already_done',
  ...more,
});

describe('writes made without a network', () => {
  let stored: Map<string, Waiting>;
  let sent: string[];
  let answers: Map<string, Error>;
  let turn: Promise<unknown>;

  /** One window: all share what is stored, and the turn. */
  const window = () =>
    new Outbox({
      store: {
        all: () => Promise.resolve([...stored.values()]),
        put: (one) => Promise.resolve(void stored.set(one.key, one)),
        remove: (key) => Promise.resolve(void stored.delete(key)),
      },
      alone: (work) => {
        const mine = turn.then(work);
        turn = mine.catch(() => undefined);
        return mine;
      },
      send: ({ key }) => {
        sent.push(key);
        const error = answers.get(key);
        return error ? Promise.reject(error) : Promise.resolve();
      },
      changed: () => undefined,
    });

  beforeEach(() => {
    stored = new Map();
    sent = [];
    answers = new Map();
    turn = Promise.resolve();
  });

  it('are sent in the order in which they were made, and then wait no more', async () => {
    const outbox = window();
    await outbox.add(write('second', 2));
    await outbox.add(write('first', 1));
    expect((await outbox.flush(owner)).map(({ key }) => key)).toEqual(['first', 'second']);
    expect(sent).toEqual(['first', 'second']);
    expect(await outbox.of(owner)).toEqual([]);
  });

  it('are sent once, however many windows hear that the network is back', async () => {
    await window().add(write('done', 1));
    await Promise.all([window().flush(owner), window().flush(owner), window().flush(owner)]);
    expect(sent).toEqual(['done']);
  });

  it.each([
    ['the network fails again', new NetworkError('gone')],
    ['the server is in trouble', new ProblemError(503, {}, null)],
    ['the session is over', new ProblemError(401, {}, null)],
    ['something else goes wrong', new Error('a mistake of ours')],
  ])('wait on, with those behind them, when %s', async (_case, error) => {
    const outbox = window();
    answers.set('first', error);
    await outbox.add(write('first', 1));
    await outbox.add(write('second', 2));
    expect(await outbox.flush(owner)).toEqual([]);
    expect(sent).toEqual(['first']);
    expect(await outbox.of(owner)).toHaveLength(2);
    answers.clear();
    await outbox.flush(owner);
    expect(sent).toEqual(['first', 'first', 'second']);
  });

  it('that the server refuses stay, with its reason, and hold up nothing', async () => {
    const outbox = window();
    answers.set('first', new ProblemError(409, { title: 'A sessão já foi cancelada' }, null));
    await outbox.add(write('first', 1));
    await outbox.add(write('second', 2));
    await outbox.flush(owner);
    await outbox.flush(owner);
    expect(sent).toEqual(['first', 'second']);
    expect(await outbox.of(owner)).toEqual([write('first', 1, { refused: 'A sessão já foi cancelada' })]);
  });

  it('that the server has, though it forgot their key, have arrived', async () => {
    const outbox = window();
    answers.set('first', new ProblemError(409, { code: 'agenda.already_done' }, null));
    await outbox.add(write('first', 1));
    expect((await outbox.flush(owner)).map(({ key }) => key)).toEqual(['first']);
    expect(await outbox.of(owner)).toEqual([]);
  });

  it('that were refused are sent again with the same key when the person asks for it', async () => {
    const outbox = window();
    await outbox.add(write('first', 1, { refused: 'Horário já ocupado' }));
    await outbox.retry(write('first', 1, { refused: 'Horário já ocupado' }));
    expect(sent).toEqual(['first']);
    expect(await outbox.of(owner)).toEqual([]);
  });

  it('can be taken back until they are sent', async () => {
    const outbox = window();
    await outbox.add(write('first', 1));
    expect(await outbox.withdraw(owner, 'first')).toBe(true);
    expect(await outbox.flush(owner)).toEqual([]);
    expect(sent).toEqual([]);
    expect(await outbox.withdraw(owner, 'first')).toBe(false);
  });

  it('are nobody else’s', async () => {
    const outbox = window();
    await outbox.add(write('mine', 1));
    await outbox.add(write('theirs', 2, { userId: 'bruno' }));
    await outbox.add(write('elsewhere', 3, { tenantId: 'gym' }));
    await outbox.flush(owner);
    expect(sent).toEqual(['mine']);
    await outbox.clear({ userId: 'bruno', tenantId: 'studio' });
    expect([...stored.keys()]).toEqual(['elsewhere']);
  });
});
