import { Body, Controller, Get, Post, Put, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { created } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { STUDENT_WRITES } from '../../platform/http/calls.api.js';
import { Route } from '../../platform/http/route.js';
import {
  notificationChange,
  type NotificationChange,
  notificationSettings,
  pushKey,
  type PushRemoval,
  pushRemoval,
  type PushSubscriptionBody,
  pushSubscription,
} from './notification-settings.api.js';
import { SetNotificationSettings } from './notification-settings.commands.js';
import { ShowNotificationSettings } from './notification-settings.queries.js';
import { PushKeys } from './push-keys.service.js';
import { PushSubscriptions } from './push-subscriptions.service.js';

/** A trainer's notification settings. */
@Controller('settings/notifications')
export class NotificationSettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Mostra como o personal é notificado', answer: notificationSettings })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowNotificationSettings(context));
  }

  @Put()
  @Route({ summary: 'Define como o personal é notificado', body: notificationChange, answer: created })
  change(@Ctx() context: CommandContext, @Body() wanted: NotificationChange) {
    return this.commands.execute(new SetNotificationSettings(context, wanted));
  }
}

/** A student's notification settings. */
@Controller('student/notification-settings')
export class OwnNotificationSettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({
    summary: 'Mostra como o próprio aluno é notificado',
    roles: ['aluno'],
    answer: notificationSettings,
  })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowNotificationSettings(context));
  }

  @Put()
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Define como o próprio aluno é notificado',
    roles: ['aluno'],
    body: notificationChange,
    answer: created,
  })
  change(@Ctx() context: CommandContext, @Body() wanted: NotificationChange) {
    return this.commands.execute(new SetNotificationSettings(context, wanted));
  }
}

const DEVICES = { name: 'push-devices', points: 30, seconds: 600, byPerson: true } as const;

/** The browsers to which a user's notifications are pushed. */
@Controller('account/push')
export class PushController {
  constructor(
    private readonly keys: PushKeys,
    private readonly subscriptions: PushSubscriptions,
  ) {}

  @Get()
  @Route({
    summary: 'Mostra a chave com que um navegador assina as notificações',
    signedIn: true,
    answer: pushKey,
  })
  async key() {
    return { chave: (await this.keys.pair()).publicKey };
  }

  @Put()
  @RateLimit(DEVICES)
  @Route({
    summary: 'Passa a notificar neste navegador',
    signedIn: true,
    body: pushSubscription,
    answer: created,
  })
  async keep(@Body() subscription: PushSubscriptionBody, @Req() request: FastifyRequest) {
    const { userId, sessionId } = request.caller!;
    return { answer: { id: await this.subscriptions.keep(userId, sessionId, subscription) }, position: 0 };
  }

  @Post('remove')
  @RateLimit(DEVICES)
  @Route({
    summary: 'Deixa de notificar neste navegador',
    signedIn: true,
    body: pushRemoval,
    answer: created,
  })
  async remove(@Body() { endpoint }: PushRemoval, @Req() request: FastifyRequest) {
    const { userId } = request.caller!;
    await this.subscriptions.remove(userId, endpoint);
    return { answer: { id: userId }, position: 0 };
  }
}
