import { beforeEach, describe, expect, it } from '@jest/globals';
import { localName, Outbox, type Waiting, withIds } from './outbox.js';
import { DeviceError, NetworkError, ProblemError } from './problem.js';

const owner = { userId: 'rafaela', tenantId: 'studio' };
const write = (key: string, at: number, more: Partial<Waiting> = {}): Waiting => ({
  key,
  at,
  ...owner,
  method: 'POST',
  path: `/sessions/${key}/complete`,
  subject: key,
  effect: 'complete',
  alreadySo: 'agenda.already_done',
  title: 'A sessão',
  ...more,
});

describe('writes made without a network', () => {
  let stored: Map<string, Waiting>;
  let sent: string[];
  let answers: Map<string, unknown>;
  let turn: Promise<unknown>;
  let now: number;
  /** Called before the store saves a write. */
  let onPut: () => void;

  /** One window; all windows share the store and the lock. */
  const window = () =>
    new Outbox({
      store: {
        all: () => Promise.resolve([...stored.values()]),
        put: async (one) => {
          onPut();
          await Promise.resolve(stored.set(one.key, one));
        },
        remove: (key) => Promise.resolve(void stored.delete(key)),
      },
      alone: (work) => {
        const mine = turn.then(work);
        turn = mine.catch(() => undefined);
        return mine;
      },
      send: ({ key }) => {
        sent.push(key);
        const answer = answers.get(key);
        return answer instanceof Error
          ? Promise.reject(answer)
          : Promise.resolve(answer ?? { id: `id-${key}` });
      },
      now: () => now,
      changed: () => undefined,
      named: () => undefined,
    });

  beforeEach(() => {
    stored = new Map();
    sent = [];
    answers = new Map();
    turn = Promise.resolve();
    now = 0;
    onPut = () => undefined;
  });

  it('are sent in the order of their creation, and then removed from the queue', async () => {
    const outbox = window();
    await outbox.add(write('first', 1));
    await outbox.add(write('second', 2));
    expect((await outbox.flush(owner)).map(({ key }) => key)).toEqual(['first', 'second']);
    expect(sent).toEqual(['first', 'second']);
    expect(await outbox.of(owner)).toEqual([]);
  });

  it('of one student wait while the user shows the page of another of the same trainer', async () => {
    const outbox = window();
    await outbox.add(write('of-ana', 1, { studentId: 'ana' }));
    expect(await outbox.flush({ ...owner, studentId: 'beto' })).toEqual([]);
    expect(await outbox.flush({ ...owner, studentId: 'ana' })).toHaveLength(1);
    expect(sent).toEqual(['of-ana']);
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
  ])('stay queued, together with later ones, when %s', async (_case, error) => {
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

  it('that the server refuses are held with its reason, and do not delay the others', async () => {
    const outbox = window();
    answers.set('first', new ProblemError(409, { title: 'A sessão já foi cancelada' }, null));
    await outbox.add(write('first', 1));
    await outbox.add(write('second', 2));
    await outbox.flush(owner);
    await outbox.flush(owner);
    expect(sent).toEqual(['first', 'second']);
    const held = { why: 'refused', message: 'A sessão já foi cancelada', code: 'internal' } as const;
    expect(await outbox.of(owner)).toEqual([write('first', 1, { held })]);
  });

  it('that the server has already applied, although it has forgotten their key, count as sent', async () => {
    const outbox = window();
    answers.set('first', new ProblemError(409, { code: 'agenda.already_done' }, null));
    await outbox.add(write('first', 1));
    expect((await outbox.flush(owner)).map(({ key }) => key)).toEqual(['first']);
    expect(await outbox.of(owner)).toEqual([]);
  });

  it('that were refused are sent again on request, with the same key, or with another body', async () => {
    const outbox = window();
    const refused = write('first', 1, {
      held: { why: 'refused', message: 'Horário já ocupado', code: 'overlap' },
    });
    stored.set('first', refused);
    answers.set('first', new ProblemError(409, { title: 'Horário já ocupado' }, null));
    await outbox.retry(refused);
    expect(sent).toEqual(['first']);
    answers.clear();
    expect(await outbox.retry(refused, { permitir_conflito: true })).toMatchObject([
      { body: { permitir_conflito: true } },
    ]);
    expect(await outbox.of(owner)).toEqual([]);
  });

  it('can be removed until they are sent', async () => {
    const outbox = window();
    await outbox.add(write('first', 1));
    expect(await outbox.withdraw(owner, 'first')).toBe(true);
    expect(await outbox.flush(owner)).toEqual([]);
    expect(sent).toEqual([]);
    expect(await outbox.withdraw(owner, 'first')).toBe(false);
  });

  it('keep an edit if an earlier write to the item is removed', async () => {
    const outbox = window();
    await outbox.add(write('renewal', 1, { subject: 'ana' }));
    await outbox.add(write('edit', 2, { subject: 'ana', effect: 'edit-students' }));
    expect(await outbox.withdraw(owner, 'ana')).toBe(false);
    expect([...stored.keys()]).toEqual(['renewal', 'edit']);
  });

  it('are only sent for the user who made them', async () => {
    const outbox = window();
    await outbox.add(write('mine', 1));
    await outbox.add(write('theirs', 2, { userId: 'bruno' }));
    await outbox.add(write('elsewhere', 3, { tenantId: 'gym' }));
    await outbox.flush(owner);
    expect(sent).toEqual(['mine']);
    await outbox.clear({ userId: 'bruno', tenantId: 'studio' });
    expect([...stored.keys()]).toEqual(['elsewhere']);
  });

  it('keep their order when they are made at the same millisecond, or after the clock was set back', async () => {
    const outbox = window();
    now = 1000;
    await outbox.add(write('first', 0));
    await outbox.add(write('second', 0));
    now = 10;
    await outbox.add(write('third', 0));
    await outbox.flush(owner);
    expect(sent).toEqual(['first', 'second', 'third']);
  });

  it('cannot be removed once they may have been applied', async () => {
    const outbox = window();
    answers.set('first', new NetworkError('no answer'));
    await outbox.add(write('first', 1));
    await outbox.flush(owner);
    expect(await outbox.withdraw(owner, 'first')).toBe(false);
    await outbox.add(write('made', 2, { makes: true, subject: 'local', triedAt: 1 }));
    expect(await outbox.unmake(owner, 'local')).toEqual([]);
    expect(stored.size).toBe(2);
  });

  it('that may have been applied are not sent again after the server has forgotten their keys, unless the user confirms it', async () => {
    const outbox = window();
    answers.set('first', new NetworkError('no answer'));
    await outbox.add(write('first', 1));
    await outbox.flush(owner);
    answers.clear();
    await outbox.add(write('never', 2, { subject: 'other' }));
    now += 47 * 60 * 60_000 + 1;
    await outbox.flush(owner);
    await outbox.flush(owner);
    expect(sent).toEqual(['first', 'never']);
    const [doubtful] = await outbox.of(owner);
    expect(doubtful?.held).toEqual({ why: 'doubt' });
    await outbox.retry(doubtful!);
    expect(sent).toEqual(['first', 'never', 'first']);
  });

  it('are limited in number', async () => {
    const outbox = window();
    for (let index = 0; index < 200; index += 1) await outbox.add(write(`w${index}`, index));
    await expect(outbox.add(write('one too many', 200))).rejects.toThrow(DeviceError);
    await outbox.add(write('theirs', 1, { userId: 'bruno' }));
  });

  it('that do not fit on the device are reported, and no other write is lost', async () => {
    const outbox = window();
    await outbox.add(write('first', 1));
    onPut = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    await expect(outbox.add(write('second', 2))).rejects.toThrow(/sem espaço neste aparelho/);
    await outbox.flush(owner);
    expect(sent).toEqual(['first']);
    expect(stored.size).toBe(0);
  });
});

describe('an item that is created without a network', () => {
  const local = localName('book');
  const booking = (more: Partial<Waiting> = {}) =>
    write('book', 1, { makes: true, subject: local, effect: 'book', path: '/sessions', ...more });
  const later = (key: string, at: number) =>
    write(key, at, { subject: local, path: `/sessions/${local}/complete` });
  let stored: Map<string, Waiting>;
  let sent: [key: string, path: string][];
  let answer: () => Promise<unknown>;
  let named: [string, string][];
  let outbox: Outbox;

  beforeEach(() => {
    stored = new Map();
    sent = [];
    named = [];
    answer = () => Promise.resolve({ id: 'c0ffee' });
    outbox = new Outbox({
      store: {
        all: () => Promise.resolve([...stored.values()]),
        put: (one) => Promise.resolve(void stored.set(one.key, one)),
        remove: (key) => Promise.resolve(void stored.delete(key)),
      },
      alone: (work) => work(),
      send: ({ key, path }) => {
        sent.push([key, path]);
        return answer();
      },
      now: () => 5,
      changed: () => undefined,
      named: (name, id) => void named.push([name, id]),
    });
  });

  it('is sent first, and later writes to it use the id from the server', async () => {
    await outbox.add(booking());
    await outbox.add(later('done', 2));
    await outbox.flush(owner);
    expect(sent).toEqual([
      ['book', '/sessions'],
      ['done', '/sessions/c0ffee/complete'],
    ]);
    expect(named).toEqual([[local, 'c0ffee']]);
    expect(stored.size).toBe(0);
  });

  it('has its server id in writes that are made while it is sent, or later', async () => {
    await outbox.add(booking());
    answer = async () => {
      if (!stored.has('done')) await outbox.add(later('done', 2));
      return { id: 'c0ffee' };
    };
    await outbox.flush(owner);
    expect(sent[1]).toEqual(['done', '/sessions/c0ffee/complete']);
    expect(withIds(later('reopen', 3), new Map(named)).path).toBe('/sessions/c0ffee/complete');
  });

  it('holds later writes to it if it is refused, and is discarded together with them', async () => {
    answer = () =>
      Promise.reject(new ProblemError(409, { title: 'Horário já ocupado', code: 'agenda.overlap' }, null));
    await outbox.add(booking());
    await outbox.add(later('done', 2));
    await outbox.flush(owner);
    expect(sent.map(([key]) => key)).toEqual(['book']);
    await outbox.discard(stored.get('book')!);
    expect(stored.size).toBe(0);
  });

  it('is removed together with later writes to it, and can be restored', async () => {
    await outbox.add(booking());
    await outbox.add(later('done', 2));
    const gone = await outbox.unmake(owner, local);
    expect(stored.size).toBe(0);
    for (const one of gone) await outbox.add(one);
    await outbox.flush(owner);
    expect(sent.map(([key]) => key)).toEqual(['book', 'done']);
  });
});
