import { expect, it } from '@jest/globals';
import { eachAlone } from './each-alone.js';

const ids = (id: string) => ({ id });

it('an item that fails does not stop the others, and the job fails at the end', async () => {
  const done: string[] = [];
  const work = async (id: string) => {
    await Promise.resolve();
    if (id === 'b') throw new Error('broken');
    done.push(id);
  };
  await expect(eachAlone(['a', 'b', 'c'], ids, work)).rejects.toThrow('1 of 3 failed');
  expect(done).toEqual(['a', 'c']);
  const inner = (tenant: string) => eachAlone([`${tenant}1`, tenant, `${tenant}2`], ids, work);
  await expect(eachAlone(['b', 'd'], ids, inner)).rejects.toThrow('1 of 2 failed');
  expect(done).toEqual(['a', 'c', 'b1', 'b2', 'd1', 'd', 'd2']);
});

it('the remaining items are skipped if the database cannot be reached', async () => {
  const tried: string[] = [];
  const work = (id: string) => {
    tried.push(id);
    return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  };
  await expect(eachAlone(['a', 'b'], ids, work)).rejects.toThrow('refused');
  expect(tried).toEqual(['a']);
});
