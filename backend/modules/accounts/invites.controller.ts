import { Body, Controller, Get, Param, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { anyQuery, OPENINGS, Pages } from '../../platform/http/pages/send-page.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import { invitePage } from './invite-page.html.js';
import { inviteParams, invitesCalls, type Acceptance, type Invite } from './invites.api.js';
import { AcceptInvite, InvitePayer, InviteStudent } from './invites.commands.js';
import { OpenInvites } from './invites.queries.js';
import { Invites } from './invites.service.js';
import { Profiles } from './users/profiles.service.js';

/** The page that the link of an invite opens. */
@Controller('convite')
export class InvitePageController {
  constructor(
    private readonly invites: OpenInvites,
    private readonly pages: Pages,
  ) {}

  @Get(':token')
  @RateLimit(OPENINGS)
  @Route({
    summary: 'Abre a página de um convite',
    tags: ['invites'],
    public: true,
    params: inviteParams,
    query: anyQuery,
    media: 'text/html',
  })
  async open(@Param('token') token: string, @Res() reply: FastifyReply) {
    const invite = await this.invites.find(token);
    return this.pages.send(reply, invitePage({ invite, token, siteUrl: this.pages.siteUrl }));
  }
}

@Controller()
export class InvitesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly invites: Invites,
    private readonly open: OpenInvites,
    private readonly profiles: Profiles,
  ) {}

  @Serves(invitesCalls.invite)
  async invite(@Ctx() context: CommandContext, @Param('id') id: string) {
    const { answer, ...result } = await this.commands.execute(new InviteStudent(context, id));
    return { answer: { ...answer, inviteUrl: this.invites.urlOf(answer.id) }, ...result };
  }

  @Serves(invitesCalls.invitePayer)
  async invitePayer(@Ctx() context: CommandContext, @Param('id') id: string) {
    const { answer, ...result } = await this.commands.execute(new InvitePayer(context, id));
    return { answer: { ...answer, inviteUrl: this.invites.urlOf(answer.id) }, ...result };
  }

  @Serves(invitesCalls.show)
  async show(@Param('token') token: string): Promise<Invite> {
    const { personal, nome, alunos, expiresAt } = await this.open.find(token);
    return {
      personal: { nome: personal },
      student: { nome },
      expires_at: expiresAt.toISOString(),
      ...(alunos && { alunos }),
    };
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
    return this.commands.execute(
      new AcceptInvite(context, inviteId, studentId, await this.profiles.show(userId)),
    );
  }
}
