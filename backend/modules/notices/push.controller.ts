import { Body, Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Serves } from '../../platform/http/serve.js';
import { pushApi, type PushRemoval, type PushSubscriptionBody } from './push.api.js';
import { PushKeys } from './push-keys.service.js';
import { PushSubscriptions } from './push-subscriptions.service.js';

/** The browsers to which a user's notifications are pushed. */
@Controller()
export class PushController {
  constructor(
    private readonly keys: PushKeys,
    private readonly subscriptions: PushSubscriptions,
  ) {}

  @Serves(pushApi.key)
  async key() {
    return { chave: (await this.keys.pair()).publicKey };
  }

  @Serves(pushApi.keep)
  async keep(@Body() subscription: PushSubscriptionBody, @Req() request: FastifyRequest) {
    const { userId, sessionId } = request.caller!;
    return { answer: { id: await this.subscriptions.keep(userId, sessionId, subscription) }, position: 0 };
  }

  @Serves(pushApi.remove)
  async remove(@Body() { endpoint }: PushRemoval, @Req() request: FastifyRequest) {
    const { userId } = request.caller!;
    await this.subscriptions.remove(userId, endpoint);
    return { answer: { id: userId }, position: 0 };
  }
}
