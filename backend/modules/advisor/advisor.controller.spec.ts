import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import type { RateLimits } from '../../platform/http/rate-limit.js';
import { AdvisorController } from './advisor.controller.js';
import type { Advisor, Waiting } from './advisor.service.js';

const limits = { consume: () => Promise.resolve() } as unknown as RateLimits;
const context = nobodyOf('tenant', 'America/Sao_Paulo', 'request');
const question = { messages: [{ role: 'user', content: 'oi' }] } as const;

/** An advisor whose answer waits forever for a read. */
function hanging() {
  const waiting: Waiting[] = [];
  const advisor = {
    answer: (_context: unknown, _messages: unknown, given: Waiting) => {
      waiting.push(given);
      return new Promise(() => undefined);
    },
  } as unknown as Advisor;
  const raw = new EventEmitter();
  const controller = new AdvisorController(advisor, limits);
  const ask = () => controller.ask(context, { messages: [...question.messages] }, { raw } as FastifyReply);
  return { controller, raw, waiting, ask };
}

it('an answer ends after its time limit, even if its reads never end', async () => {
  const { controller, waiting, ask } = hanging();
  controller.longestMs = 1;
  await expect(ask()).rejects.toMatchObject({ code: 'advisor.too_slow' });
  expect(waiting[0]!.signal.aborted).toBe(true);
});

it('an answer ends as soon as the client disconnects', async () => {
  const { raw, waiting, ask } = hanging();
  const answered = expect(ask()).rejects.toMatchObject({ code: 'advisor.stopped' });
  while (waiting.length === 0) await Promise.resolve();
  raw.emit('close');
  await answered;
  expect([waiting[0]!.signal.aborted, raw.listenerCount('close')]).toEqual([true, 0]);
});
