import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { STUDENT_WRITES, type RouteOptions } from '../../platform/http/calls.api.js';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import {
  notificationList,
  type NotificationList,
  notificationPage,
  readAll,
  type ReadAll,
  unreadCount,
} from './notifications.api.js';
import { ReadNotifications } from './notifications.commands.js';
import { CountUnread, ListNotifications } from './notifications.queries.js';

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
