import { Body, Controller, Param, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import { Serves } from '../../platform/http/serve.js';
import { paymentPageApi, type PaymentClaim } from './charges.api.js';
import { ClaimPayment } from './charges.commands.js';
import { PaymentLinks } from './payment-links.service.js';
import { ShowPaymentPage } from './payment-page.queries.js';

/** The payment page of a charge, for everybody with its link. */
@Controller()
export class PaymentPageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly links: PaymentLinks,
  ) {}

  @Serves(paymentPageApi.show)
  show(@Param('token') token: string) {
    return this.queries.execute(new ShowPaymentPage(token));
  }

  /** The token is in the body, because paths are stored with the Idempotency-Key. */
  @Serves(paymentPageApi.claim)
  async claim(@Body() { token }: PaymentClaim, @Req() request: FastifyRequest) {
    const { tenantId, chargeId, timezone } = await this.links.find(token);
    return this.commands.execute(new ClaimPayment(nobodyOf(tenantId, timezone, request.id), chargeId));
  }
}
