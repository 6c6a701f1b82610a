import { describe, expect, it } from '@jest/globals';
import { SharedLookUps } from './sessions.service.js';

/** A look-up that the test ends, and that returns the value from its beginning. */
function stage() {
  let truth = 'before';
  const ends: (() => void)[] = [];
  const lookUp = () => {
    const seen = truth;
    return new Promise<string>((resolve) => ends.push(() => resolve(seen)));
  };
  return { lookUp, ends, change: (now: string) => (truth = now) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('shared look-ups', () => {
  it('serve many callers with one query, and never with a result from before their call', async () => {
    const { lookUp, ends, change } = stage();
    const shared = new SharedLookUps<string>();
    const first = shared.run('a', lookUp);
    change('after');
    const later = Array.from({ length: 100 }, () => shared.run('a', lookUp));
    expect(ends).toHaveLength(1);
    ends[0]!();
    expect(await first).toBe('before');
    await settled();
    expect(ends).toHaveLength(2);
    ends[1]!();
    expect(new Set(await Promise.all(later))).toEqual(new Set(['after']));
  });

  it('of other keys do not wait for each other', () => {
    const { lookUp, ends } = stage();
    const shared = new SharedLookUps<string>();
    void shared.run('a', lookUp);
    void shared.run('b', lookUp);
    expect(ends).toHaveLength(2);
  });

  it('that fail cause errors only for their own callers', async () => {
    const shared = new SharedLookUps<string>();
    const failing = shared.run('a', () => Promise.reject(new Error('no database')));
    const next = shared.run('a', () => Promise.resolve('found'));
    await expect(failing).rejects.toThrow('no database');
    expect(await next).toBe('found');
    expect(await shared.run('a', () => Promise.resolve('found again'))).toBe('found again');
  });
});
