import { Body, Controller, Delete, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { acceptance, type Acceptance, accepted, invite, inviteParams, newInvite } from './invites.api.js';
import { AcceptInvite, EndStudentAccess, InviteStudent } from './invites.commands.js';
import { ShowInvite } from './invites.queries.js';
import { Invites } from './invites.service.js';

const BY_ADDRESS = { name: 'invites', points: 100, seconds: 600 };

@Controller()
export class InvitesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly invites: Invites,
  ) {}

  @Post('students/:id/invites')
  @Route({
    summary: 'Gera um link de convite para um aluno',
    params: idParams,
    answer: newInvite,
    status: 201,
  })
  async invite(@Ctx() context: CommandContext, @Param('id') id: string) {
    const { answer, position } = await this.commands.execute(new InviteStudent(context, id));
    return { answer: { ...answer, inviteUrl: this.invites.urlOf(answer.id) }, position };
  }

  @Delete('students/:id/access')
  @Route({ summary: 'Encerra o acesso de um aluno', params: idParams, answer: created })
  end(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new EndStudentAccess(context, id));
  }

  @Get('invites/:token')
  @RateLimit(BY_ADDRESS)
  @Route({ summary: 'Mostra um convite', public: true, params: inviteParams, answer: invite })
  show(@Param('token') token: string) {
    return this.queries.execute(new ShowInvite(token));
  }

  /** The token is sent in the body, because paths are stored with the Idempotency-Key. */
  @Post('invites/accept')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Aceita um convite com a própria conta',
    signedIn: true,
    body: acceptance,
    answer: accepted,
  })
  async accept(@Body() { token }: Acceptance, @Req() request: FastifyRequest) {
    const { tenantId, inviteId, studentId, timezone } = await this.invites.find(token);
    const { userId, sessionId } = request.caller!;
    const context: CommandContext = {
      tenantId,
      userId,
      role: 'aluno',
      studentId,
      timezone,
      requestId: request.id,
      device: sessionId,
      idempotency: request.idempotency!,
    };
    return this.commands.execute(new AcceptInvite(context, inviteId, studentId));
  }
}
