import { Readable } from 'node:stream';
import { Body, Controller, Post, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { RateLimitOptions } from '../../platform/http/calls.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { advisorQuestion, type AdvisorQuestion, type AnswerChunk } from './advisor.api.js';
import { Advisor } from './advisor.service.js';
import type { Part } from './saying.js';

const BY_PERSON: RateLimitOptions = { name: 'advisor-by-person', points: 60, seconds: 60 };
export const BY_TENANT: RateLimitOptions = {
  name: 'advisor-by-tenant',
  points: 120,
  seconds: 60,
  isShared: true,
};
/** Limits of questions to a language model, which take long and cost the operator money. */
const MODEL_BY_PERSON: RateLimitOptions = { name: 'advisor-model-by-person', points: 20, seconds: 60 };
export const MODEL_BY_TENANT: RateLimitOptions = {
  name: 'advisor-model-by-tenant',
  points: 300,
  seconds: 86_400,
  isShared: true,
};

@Controller('financial-advisor')
export class AdvisorController {
  /** Time limit of an answer in ms; with the work before it, a request stays below a minute. */
  longestMs = 50_000;

  constructor(
    private readonly advisor: Advisor,
    private readonly limits: RateLimits,
  ) {}

  @Post()
  @Route({
    summary: 'Responde uma pergunta ao Consultor Financeiro',
    body: advisorQuestion,
    media: 'text/event-stream',
    asks: true,
    tellsError: true,
  })
  async ask(
    @Ctx() context: CommandContext,
    @Body() { messages }: AdvisorQuestion,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    await this.limits.consume(BY_TENANT, context.tenantId, reply);
    await this.limits.consume(BY_PERSON, context.userId, reply);
    const beforeModel = async () => {
      await this.limits.consume(MODEL_BY_PERSON, context.userId, reply);
      await this.limits.consume(MODEL_BY_TENANT, context.tenantId, reply);
    };
    const parts = await this.whileAwaited(reply, (signal) =>
      this.advisor.answer(context, messages, { signal, beforeModel }),
    );
    const answer = [...parts.flatMap((part) => [...linesOf(part)]), END];
    void reply.header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no');
    return new StreamableFile(Readable.from(answer, { objectMode: false }), {
      type: 'text/event-stream; charset=utf-8',
    });
  }

  /** Aborts the work after the time limit, or when the client disconnects, without waiting for reads that have begun. */
  private async whileAwaited<Result>(
    { raw }: FastifyReply,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const control = new AbortController();
    const ended = new Promise<never>((_, reject) => {
      control.signal.addEventListener('abort', () => reject(control.signal.reason as Problem));
    });
    const end = setTimeout(() => control.abort(new Problem('advisor.too_slow')), this.longestMs);
    const stop = () => control.abort(new Problem('advisor.stopped'));
    raw.once('close', stop);
    try {
      if (raw.destroyed) stop();
      return await Promise.race([work(control.signal), ended]);
    } finally {
      clearTimeout(end);
      raw.off('close', stop);
    }
  }
}

const line = (chunk: AnswerChunk): string => `data: ${JSON.stringify(chunk)}\n\n`;

/** An answer in OpenAI's stream format: word by word, whole figures with their source, then `[DONE]`. */
function* linesOf(part: Part): Generator<string> {
  const { content, fonte, ato, exemplos } = part;
  const words = fonte ? [content] : (content.match(/\s*\S+\s*/g) ?? (content === '' ? [] : [content]));
  for (const word of words) yield line({ choices: [{ delta: { content: word, ...(fonte && { fonte }) } }] });
  if (ato) yield line({ choices: [{ delta: { ato } }] });
  if (exemplos) yield line({ choices: [{ delta: { exemplos } }] });
}

const END = 'data: [DONE]\n\n';
