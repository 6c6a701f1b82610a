import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { STUDENT_WRITES, type RouteOptions } from '../../platform/http/calls.api.js';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import {
  accountNotificationsApi,
  notificationList,
  type NotificationList,
  notificationPage,
  readAll,
  type ReadAll,
  unreadCount,
  type UnreadOfAccount,
} from './notifications.api.js';
import { ReadNotifications } from './notifications.commands.js';
import { CountUnread, ListNotifications, unreadOf } from './notifications.queries.js';

const list = {
  summary: 'Lista as notificações dos últimos 90 dias',
  query: notificationList,
  answer: notificationPage,
};
const unread = { summary: 'Conta as notificações que não foram lidas', answer: unreadCount };
const readTill = {
  summary: 'Marca como lidas as notificações até um momento',
  body: readAll,
  answer: created,
};
const readOne = { summary: 'Marca uma notificação como lida', params: idParams, answer: created };
const forStudents = (route: RouteOptions): RouteOptions => ({
  ...route,
  summary: `${route.summary} (aluno)`,
  roles: ['aluno'],
});

/** A trainer's notifications. */
@Controller('notifications')
export class NotificationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route(list)
  list(@Ctx() context: CommandContext, @Query() query: NotificationList) {
    return this.queries.execute(new ListNotifications(context, query));
  }

  @Get('unread')
  @Route(unread)
  unread(@Ctx() context: CommandContext) {
    return this.queries.execute(new CountUnread(context));
  }

  @Post('read')
  @Route(readTill)
  readTill(@Ctx() context: CommandContext, @Body() body: ReadAll) {
    return this.commands.execute(new ReadNotifications(context, body));
  }

  @Post(':id/read')
  @Route(readOne)
  readOne(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ReadNotifications(context, { id }));
  }
}

/** A student's notifications. */
@Controller('student/notifications')
export class OwnNotificationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route(forStudents(list))
  list(@Ctx() context: CommandContext, @Query() query: NotificationList) {
    return this.queries.execute(new ListNotifications(context, query));
  }

  @Get('unread')
  @Route(forStudents(unread))
  unread(@Ctx() context: CommandContext) {
    return this.queries.execute(new CountUnread(context));
  }

  @Post('read')
  @RateLimit(STUDENT_WRITES)
  @Route(forStudents(readTill))
  readTill(@Ctx() context: CommandContext, @Body() body: ReadAll) {
    return this.commands.execute(new ReadNotifications(context, body));
  }

  @Post(':id/read')
  @RateLimit(STUDENT_WRITES)
  @Route(forStudents(readOne))
  readOne(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ReadNotifications(context, { id }));
  }
}

/** Of all that the signed-in user is, each read in its own tenant. */
@Controller()
export class AccountNotificationsController {
  constructor(private readonly database: Database) {}

  @Serves(accountNotificationsApi.unread)
  async unread(@Req() request: FastifyRequest): Promise<UnreadOfAccount> {
    const items = request.caller!.memberships.map(async ({ tenantId, studentId }) => {
      const [counted] = await this.database.read(tenantId, unreadOf(studentId));
      return { tenant_id: tenantId, student_id: studentId, ...counted! };
    });
    return { items: await Promise.all(items) };
  }
}
