import { Body, Controller, Get, Post, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { created } from '../../platform/http/common.api.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import {
  pushKey,
  type PushRemoval,
  pushRemoval,
  type PushSubscriptionBody,
  pushSubscription,
} from './notification-settings.api.js';
import { PushKeys } from './push-keys.service.js';
import { PushSubscriptions } from './push-subscriptions.service.js';

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
