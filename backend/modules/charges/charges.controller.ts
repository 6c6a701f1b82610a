import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { claimed, payParams, paymentClaim, type PaymentClaim, paymentPage } from './charges.api.js';
import { ClaimPayment } from './charges.commands.js';
import { PaymentLinks } from './payment-links.service.js';
import { ShowPaymentPage } from './payment-page.queries.js';

const BY_ADDRESS = { name: 'payments', points: 100, seconds: 600 };

/** The payment page of a charge, for everybody with its link. */
@Controller('pay')
export class PaymentPageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly links: PaymentLinks,
  ) {}

  @Get(':token')
  @RateLimit(BY_ADDRESS)
  @Route({ summary: 'Mostra a página de pagamento', public: true, params: payParams, answer: paymentPage })
  show(@Param('token') token: string) {
    return this.queries.execute(new ShowPaymentPage(token));
  }

  /** The token is in the body, because paths are stored with the Idempotency-Key. */
  @Post('claim')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Avisa que uma cobrança foi paga',
    public: true,
    body: paymentClaim,
    answer: claimed,
  })
  async claim(@Body() { token }: PaymentClaim, @Req() request: FastifyRequest) {
    const { tenantId, chargeId, timezone } = await this.links.find(token);
    return this.commands.execute(new ClaimPayment(nobodyOf(tenantId, timezone, request.id), chargeId));
  }
}
