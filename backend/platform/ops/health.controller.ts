import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { Route } from '../http/route.js';
import { type Health, Readiness } from './readiness.js';

const state = z.enum(['ok', 'unavailable']);
const health = z.object({ status: state, checks: z.record(z.string(), state) });

@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Route({ summary: 'Diz se o processo está no ar', public: true, answer: z.object({ status: state }) })
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  @Route({
    summary: 'Diz se o processo pode receber pedidos; 503 enquanto não pode',
    public: true,
    answer: health,
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const found = await this.readiness.look();
    if (found.status !== 'ok') reply.status(503);
    return found;
  }
}
