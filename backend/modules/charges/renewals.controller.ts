import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { creditBalance } from '../credits/credits.api.js';
import { newPayment, type NewPayment, paymentParams, paymentUndone } from './charges.api.js';
import { PaymentLinks } from './payment-links.service.js';
import {
  grantParams,
  type GrantWaiver,
  grantWaiver,
  type Renewal,
  renewal,
  renewalPaid,
  renewalState,
  renewed,
} from './renewals.api.js';
import {
  RenewCredits,
  RenewWithPayment,
  UndoPaidRenewal,
  UndoRenewal,
  WaiveGrant,
} from './renewals.commands.js';
import { ShowRenewal } from './renewals.queries.js';

@Controller()
export class RenewalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly links: PaymentLinks,
  ) {}

  @Get('students/:id/renewal')
  @Route({
    summary: 'Mostra o que já foi renovado sem pagamento e o que já foi cobrado dos planos de um aluno',
    tags: ['credits'],
    params: idParams,
    answer: renewalState,
  })
  show(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new ShowRenewal(context, id));
  }

  @Post('students/:id/credits/renew')
  @Route({
    summary: 'Concede os créditos do plano do aluno, ainda sem pagamento',
    tags: ['credits'],
    params: idParams,
    body: renewal,
    answer: renewed,
  })
  renew(@Ctx() context: CommandContext, @Param('id') id: string, @Body() seen: Renewal) {
    return this.commands.execute(new RenewCredits(context, id, seen));
  }

  @Post('students/:id/credits/renew/payment')
  @Route({
    summary: 'Registra o pagamento de uma renovação e concede os créditos do plano',
    tags: ['credits'],
    params: idParams,
    body: newPayment,
    answer: renewalPaid,
    status: 201,
  })
  pay(@Ctx() context: CommandContext, @Param('id') id: string, @Body() payment: NewPayment) {
    return this.commands.execute(new RenewWithPayment(context, id, payment, this.links.fresh()));
  }

  @Post('students/:id/credits/grants/:lot/undo')
  @Route({
    summary: 'Desfaz uma renovação sem pagamento',
    tags: ['credits'],
    params: grantParams,
    answer: creditBalance,
  })
  undo(@Ctx() context: CommandContext, @Param('id') id: string, @Param('lot') lot: string) {
    return this.commands.execute(new UndoRenewal(context, id, lot));
  }

  @Put('students/:id/credits/grants/:lot/waiver')
  @Route({
    summary: 'Dispensa o pagamento de uma renovação, ou volta a esperar por ele',
    tags: ['credits'],
    params: grantParams,
    body: grantWaiver,
    answer: created,
  })
  waive(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Param('lot') lot: string,
    @Body() wanted: GrantWaiver,
  ) {
    return this.commands.execute(new WaiveGrant(context, id, lot, wanted));
  }

  @Post('charges/:id/payments/:payment/undo-renewal')
  @Route({
    summary: 'Desfaz o pagamento de uma renovação e a cobrança emitida com ele',
    tags: ['charges'],
    params: paymentParams,
    answer: paymentUndone,
  })
  undoPaid(@Ctx() context: CommandContext, @Param('id') id: string, @Param('payment') payment: string) {
    return this.commands.execute(new UndoPaidRenewal(context, id, payment));
  }
}
