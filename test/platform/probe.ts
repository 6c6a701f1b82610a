import { randomUUID } from 'node:crypto';
import {
  Body,
  Controller,
  type ExecutionContext,
  Get,
  Global,
  HttpStatus,
  Injectable,
  Module,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import {
  calendarDate,
  cents,
  created,
  type ErrorTable,
  id,
  idParams,
  pageQuery,
  rule,
  text,
} from '../../backend/platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../backend/platform/http/context.js';
import { IdentityGuard } from '../../backend/platform/http/identity.guard.js';
import { Problem } from '../../backend/platform/http/problem.js';
import { RateLimit } from '../../backend/platform/http/rate-limit.js';
import { Route } from '../../backend/platform/http/route.js';
import { SessionVerifier } from '../../backend/platform/realtime/session-verifier.js';

const newProbe = z
  .strictObject({ nome: text(2, 40), valor: cents, de: calendarDate, ate: calendarDate })
  .check(rule(({ de, ate }) => ate >= de, 'O fim não pode ser antes do início', ['ate']));
const probeQuery = z.strictObject({ ...pageQuery, q: z.optional(text(1, 40)) });
const seen = z.looseObject({});
const failure = z.strictObject({ how: z.enum(['own', 'code', 'mistake', 'postgres', 'pool', 'answer']) });

const failures: Record<z.infer<typeof failure>['how'], () => Error | undefined> = {
  own: () =>
    new Problem('probe.refused', {
      detail: 'Porque não.',
      errors: [{ pointer: '/nome', detail: 'Este não' }],
    }),
  code: () => new Problem('probe.unheard_of'),
  mistake: () => new TypeError('segredo.of is not a function'),
  postgres: () =>
    Object.assign(new Error('Key (cpf)=(111)'), { code: '23505', severity: 'ERROR', constraint: 'x_key' }),
  pool: () => new Error('timeout exceeded when trying to connect'),
  answer: () => undefined,
};

/** Holds requests inside their handler until the test releases them. */
export const held: { arrived?: () => void; released?: Promise<void> } = {};

@Controller('probes')
class ProbeController {
  @Get('context')
  @Route({ summary: 'Contexto', answer: seen })
  context(@Ctx() context: CommandContext) {
    return context;
  }

  @Post('large')
  @Route({
    summary: 'Corpo grande',
    status: HttpStatus.NO_CONTENT,
    body: z.strictObject({ x: z.string() }),
    bodyLimit: 128 * 1024,
  })
  large() {}

  @Get('held')
  @Route({ summary: 'Espera', public: true, answer: created })
  async hold() {
    held.arrived?.();
    await held.released;
    return { id: randomUUID() };
  }

  @Get('limited')
  @RateLimit({ name: 'probe', points: 2, seconds: 60 })
  @Route({ summary: 'Limitada', public: true, answer: seen })
  limited() {
    return {};
  }

  @Get('failures/:how')
  @Route({ summary: 'Falha', public: true, params: failure, answer: z.object({ ok: z.literal(true) }) })
  fail(@Param() { how }: z.infer<typeof failure>) {
    const error = failures[how]();
    if (error) throw error;
    return { ok: true, cpf: '111' };
  }

  @Get(':id')
  @Route({ summary: 'Uma', params: idParams, query: probeQuery, answer: seen })
  read(@Param() params: object, @Query() query: object) {
    return { params, query };
  }

  @Post()
  @Route({ summary: 'Nova', body: newProbe, answer: seen, status: HttpStatus.CREATED })
  create(@Ctx() context: CommandContext, @Body() body: z.infer<typeof newProbe>) {
    return { answer: { body, idempotency: context.idempotency }, position: 7 };
  }

  @Post(':id/touch')
  @Route({ summary: 'Toque', params: idParams, status: HttpStatus.NO_CONTENT })
  touch() {
    return { answer: undefined, position: 8 };
  }
}

/** Identifies the caller by request headers, without a check. */
@Injectable()
class TrustingGuard extends IdentityGuard {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const tenantId = request.headers['x-probe-tenant'];
    if (typeof tenantId !== 'string') return true;
    const userId = id.parse(tenantId);
    request.rende = {
      userId,
      sessionId: userId,
      tenantId,
      role: 'personal',
      studentId: null,
      timezone: 'America/Sao_Paulo',
    };
    return true;
  }
}

const probeErrors = {
  'probe.refused': { status: 409, title: 'A sonda recusou' },
} as const satisfies ErrorTable;

/** Routes that show how the platform handles requests. */
@Global()
@Module({
  controllers: [ProbeController],
  providers: [
    { provide: IdentityGuard, useClass: TrustingGuard },
    { provide: SessionVerifier, useValue: { verify: () => Promise.reject(new Error('no sessions here')) } },
  ],
  exports: [IdentityGuard, SessionVerifier],
})
export class ProbeModule {
  static readonly feature = { errors: probeErrors };
}
