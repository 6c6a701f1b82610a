import { Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Route } from '../../../platform/http/route.js';
import { type LogoutScope, Sessions } from '../sessions/sessions.service.js';
import { toAuthUser } from '../users/auth-user.js';
import { Users } from '../users/users.service.js';
import { AuthController } from './auth-controller.js';
import { authUser, logoutQuery } from './auth.schemas.js';

@AuthController()
export class UserController {
  constructor(
    private readonly users: Users,
    private readonly sessions: Sessions,
  ) {}

  @Get('user')
  @Route({ summary: 'O usuário da sessão', signedIn: true, answer: authUser })
  async user(@Req() request: FastifyRequest) {
    return toAuthUser(await this.users.byId(request.caller!.userId));
  }

  @Post('logout')
  @Route({ summary: 'Encerra sessões na hora', signedIn: true, query: logoutQuery, status: 204 })
  async logout(@Req() request: FastifyRequest, @Query() { scope }: { scope: LogoutScope }) {
    await this.sessions.end(request.caller!, scope);
  }
}
