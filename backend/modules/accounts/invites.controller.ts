import { Body, Controller, Param, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Serves } from '../../platform/http/serve.js';
import { invitesCalls, type Acceptance } from './invites.api.js';
import { AcceptInvite, EndStudentAccess, InviteStudent } from './invites.commands.js';
import { ShowInvite } from './invites.queries.js';
import { Invites } from './invites.service.js';

@Controller()
export class InvitesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly invites: Invites,
  ) {}

  @Serves(invitesCalls.invite)
  async invite(@Ctx() context: CommandContext, @Param('id') id: string) {
    const { answer, ...result } = await this.commands.execute(new InviteStudent(context, id));
    return { answer: { ...answer, inviteUrl: this.invites.urlOf(answer.id) }, ...result };
  }

  @Serves(invitesCalls.end)
  end(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new EndStudentAccess(context, id));
  }

  @Serves(invitesCalls.show)
  show(@Param('token') token: string) {
    return this.queries.execute(new ShowInvite(token));
  }

  /** The token is sent in the body, because paths are stored with the Idempotency-Key. */
  @Serves(invitesCalls.accept)
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
