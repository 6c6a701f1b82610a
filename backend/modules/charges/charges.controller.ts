import { Body, Controller, Get, Param, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import { anyQuery, OPENINGS, Pages } from '../../platform/http/pages/send-page.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import { paymentPageApi, type PaymentClaim, payParams } from './payment-page.api.js';
import { ClaimPayment } from './charges.commands.js';
import { ClaimBill } from './bills.commands.js';
import { PaymentLinks } from './payment-links.service.js';
import { paymentPage } from './payment-page.html.js';
import { ShowPaymentPage } from './payment-page.queries.js';

/** The payment page of a charge, for everybody with its link. */
@Controller('pagar')
export class PaymentPageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly pages: Pages,
  ) {}

  @Get(':token')
  @RateLimit(OPENINGS)
  @Route({
    summary: 'Abre a página de pagamento de uma cobrança',
    tags: ['pay'],
    public: true,
    params: payParams,
    query: anyQuery,
    media: 'text/html',
  })
  async open(@Param('token') token: string, @Res() reply: FastifyReply) {
    const charge = await this.queries.execute(new ShowPaymentPage(token));
    return this.pages.send(reply, await paymentPage({ charge, token, siteUrl: this.pages.siteUrl }));
  }
}

/** What the script of that page reads and writes. */
@Controller()
export class PaymentController {
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
    const { tenantId, chargeId, payerId, timezone } = await this.links.find(token);
    const context = nobodyOf(tenantId, timezone, request.id);
    return this.commands.execute(
      payerId === undefined ? new ClaimPayment(context, chargeId) : new ClaimBill(context, payerId),
    );
  }
}
