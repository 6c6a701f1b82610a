import { expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { nobodyOf } from '../../platform/event-store/context.js';
import { BuiltInAdvisor } from './built-in-advisor.service.js';
import { Reading } from './reading.loads.js';
import { understand } from './understand.js';

it('reads stop when the answer is aborted', async () => {
  const control = new AbortController();
  let reads = 0;
  const queries = {
    execute: () => {
      reads += 1;
      if (reads === 4) control.abort(new Error('gone'));
      return Promise.resolve({ mes: '2026-01', recebido: 1, receitas: 1 });
    },
  } as unknown as QueryBus;
  const today = '2026-11-20';
  const context = nobodyOf('tenant', 'America/Sao_Paulo', 'request');
  const reading = new Reading(queries, context, today, control.signal);
  const question = 'quanto recebi de janeiro a novembro?';
  const answer = new BuiltInAdvisor().answer(
    understand(question, { today, students: [] }),
    question,
    reading,
  );
  await expect(answer).rejects.toThrow('gone');
  // Three months are read at a time, so only reads that had begun before the abort.
  expect(reads).toBe(4);
});
