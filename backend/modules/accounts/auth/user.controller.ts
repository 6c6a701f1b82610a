import { Body, Get, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { originOf } from '../../../platform/ops/security-log.js';
import { type LogoutScope, Sessions } from '../sessions/sessions.service.js';
import { toAuthUser } from '../users/auth-user.js';
import { Users } from '../users/users.service.js';
import { AuthController, type Caller, From } from './auth-controller.js';
import { AuthError, secondFactorDue } from './auth-error.js';
import {
  authUser,
  logoutQuery,
  redirectQuery,
  type RedirectQuery,
  type UserBody,
  userBody,
} from './auth.schemas.js';
import { Redirects } from './redirects.js';
import { UserChanges } from './user-changes.service.js';

@AuthController()
export class UserController {
  constructor(
    private readonly users: Users,
    private readonly sessions: Sessions,
    private readonly changes: UserChanges,
    private readonly redirects: Redirects,
  ) {}

  @Get('user')
  @Route({
    summary: 'Mostra o usuário da sessão',
    signedIn: true,
    beforeSecondFactor: 'answered',
    answer: authUser,
  })
  async user(@Req() request: FastifyRequest) {
    return toAuthUser(await this.users.byId(request.caller!.userId));
  }

  @Put('user')
  @RateLimit({ name: 'user', points: 100, seconds: 600 })
  @Route({
    summary: 'Troca senha, e-mail ou dados do usuário',
    signedIn: true,
    beforeSecondFactor: 401,
    query: redirectQuery,
    body: userBody,
    answer: authUser,
  })
  async change(@Body() body: UserBody, @Query() { redirect_to }: RedirectQuery, @From() caller: Caller) {
    if (body.app_metadata !== undefined) {
      throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
    }
    if (body.phone) throw new AuthError(400, 'phone_provider_disabled', 'Phone logins are disabled');
    const link = this.redirects.link(body.code_challenge, redirect_to);
    return toAuthUser(await this.changes.change(caller.request.caller!, body, link, caller));
  }

  @Post('logout')
  @Route({
    summary: 'Encerra sessões na hora; só a própria, enquanto falta o segundo fator',
    signedIn: true,
    beforeSecondFactor: 'answered',
    query: logoutQuery,
    status: 204,
  })
  async logout(@Req() request: FastifyRequest, @Query() { scope }: { scope: LogoutScope }) {
    const caller = request.caller!;
    if (caller.aal < caller.nextAal && scope !== 'local') throw secondFactorDue(401);
    await this.sessions.end(caller, scope, 'signed_out', originOf(request));
  }
}
