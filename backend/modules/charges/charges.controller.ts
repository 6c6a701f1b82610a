import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import { type AtMoment, atMoment, created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import {
  chargeChanges,
  type ChargeChanges,
  chargeDetail,
  chargeList,
  type ChargeList,
  chargePage,
  claimed,
  newCharge,
  type NewCharge,
  newPayment,
  type NewPayment,
  payParams,
  paymentClaim,
  type PaymentClaim,
  paymentDone,
  paymentPage,
  paymentParams,
  paymentUndone,
  promise,
  refund,
  type Refund,
  type Promised,
} from './charges.api.js';
import {
  CancelCharge,
  ChangeCharge,
  ClaimPayment,
  IssueCharge,
  PromisePayment,
  RemovePixAccount,
  ReplaceChargeLink,
  RestoreCharge,
  SetPixAccount,
} from './charges.commands.js';
import { GetCharge, ListCharges } from './charges.queries.js';
import { PaymentLinks } from './payment-links.service.js';
import { monthlyChange, type MonthlyChange, shownMonthlyPlan } from './monthly-plans.api.js';
import { EndMonthlyPlan, SetMonthlyPlan } from './monthly-plans.commands.js';
import { ShowMonthlyPlan } from './monthly-plans.queries.js';
import { ShowPaymentPage, ShowPixAccount } from './payment-page.queries.js';
import {
  pixAccountChange,
  type PixAccountChange,
  pixAccountRemoval,
  type PixAccountRemoval,
  shownPixAccount,
} from './pix.api.js';
import { debtorList, type DebtorList, debtorPage, receivables, reminders } from './receivables.api.js';
import { ListDebtors, ListReminders, ShowReceivables } from './receivables.queries.js';
import { NoteReminder } from './reminders.commands.js';
import { PayCharge, RefundPayment, ReverseChargePayment } from './settlement.commands.js';

const BY_ADDRESS = { name: 'payments', points: 100, seconds: 600 };

@Controller('charges')
export class ChargesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly links: PaymentLinks,
  ) {}

  @Get()
  @Route({ summary: 'Lista cobranças', query: chargeList, answer: chargePage })
  list(@Ctx() context: CommandContext, @Query() list: ChargeList) {
    return this.queries.execute(new ListCharges(context, list));
  }

  @Post()
  @Route({ summary: 'Emite uma cobrança', body: newCharge, answer: created, status: 201 })
  issue(@Ctx() context: CommandContext, @Body() body: NewCharge) {
    return this.commands.execute(new IssueCharge(context, body, this.links.fresh()));
  }

  @Get(':id')
  @Route({ summary: 'Mostra uma cobrança', params: idParams, answer: chargeDetail })
  get(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new GetCharge(context, id));
  }

  @Patch(':id')
  @Route({ summary: 'Altera uma cobrança', params: idParams, body: chargeChanges, answer: created })
  change(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: ChargeChanges) {
    return this.commands.execute(new ChangeCharge(context, id, changes));
  }

  @Post(':id/cancel')
  @Route({ summary: 'Cancela uma cobrança', params: idParams, answer: created })
  cancel(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new CancelCharge(context, id));
  }

  @Post(':id/restore')
  @Route({ summary: 'Desfaz o cancelamento de uma cobrança', params: idParams, answer: created })
  restore(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RestoreCharge(context, id));
  }

  @Post(':id/payments')
  @Route({
    summary: 'Registra o pagamento de uma cobrança',
    params: idParams,
    body: newPayment,
    answer: paymentDone,
    status: 201,
  })
  pay(@Ctx() context: CommandContext, @Param('id') id: string, @Body() payment: NewPayment) {
    return this.commands.execute(new PayCharge(context, id, payment));
  }

  @Post(':id/payments/:payment/reverse')
  @Route({ summary: 'Desfaz um pagamento', params: paymentParams, answer: paymentUndone })
  reverse(@Ctx() context: CommandContext, @Param('id') id: string, @Param('payment') payment: string) {
    return this.commands.execute(new ReverseChargePayment(context, id, payment));
  }

  @Post(':id/payments/:payment/refund')
  @Route({
    summary: 'Devolve dinheiro de uma cobrança paga',
    params: paymentParams,
    body: refund,
    answer: created,
    status: 201,
  })
  refund(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Param('payment') payment: string,
    @Body() wanted: Refund,
  ) {
    return this.commands.execute(new RefundPayment(context, id, payment, wanted));
  }

  @Put(':id/promise')
  @Route({
    summary: 'Anota para quando o pagamento foi prometido',
    params: idParams,
    body: promise,
    answer: created,
  })
  promise(@Ctx() context: CommandContext, @Param('id') id: string, @Body() promised: Promised) {
    return this.commands.execute(new PromisePayment(context, id, promised));
  }

  @Post(':id/reminders')
  @Route({ summary: 'Anota que o lembrete foi enviado pelo WhatsApp', params: idParams, answer: created })
  remind(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new NoteReminder(context, id));
  }

  @Post(':id/link')
  @Route({
    summary: 'Troca o link de pagamento: o anterior deixa de valer',
    params: idParams,
    answer: created,
  })
  replaceLink(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ReplaceChargeLink(context, id, this.links.fresh()));
  }
}

/** Monthly plans of students. */
@Controller('students')
export class MonthlyPlansController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly links: PaymentLinks,
  ) {}

  @Get(':id/monthly-plan')
  @Route({ summary: 'Mostra a mensalidade de um aluno', params: idParams, answer: shownMonthlyPlan })
  show(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new ShowMonthlyPlan(context, id));
  }

  @Put(':id/monthly-plan')
  @Route({
    summary: 'Combina a mensalidade de um aluno',
    params: idParams,
    body: monthlyChange,
    answer: created,
  })
  set(@Ctx() context: CommandContext, @Param('id') id: string, @Body() terms: MonthlyChange) {
    return this.commands.execute(new SetMonthlyPlan(context, id, terms, () => this.links.fresh()));
  }

  @Delete(':id/monthly-plan')
  @Route({ summary: 'Encerra a mensalidade de um aluno', params: idParams, answer: created })
  end(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new EndMonthlyPlan(context, id, () => this.links.fresh()));
  }
}

/** Receivables, and reminders of them. */
@Controller('receivables')
export class ReceivablesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Route({ summary: 'Mostra o que há a receber, por idade', query: atMoment, answer: receivables })
  show(@Ctx() context: CommandContext, @Query() { at }: AtMoment) {
    return this.queries.execute(new ShowReceivables(context, at));
  }

  @Get('students')
  @Route({ summary: 'Lista quem deve', query: debtorList, answer: debtorPage })
  debtors(@Ctx() context: CommandContext, @Query() list: DebtorList) {
    return this.queries.execute(new ListDebtors(context, list));
  }

  @Get('reminders')
  @Route({ summary: 'Lista os lembretes prontos para enviar', answer: reminders })
  reminders(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListReminders(context));
  }
}

@Controller('settings/pix')
export class PixAccountController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Mostra a chave Pix', answer: shownPixAccount })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowPixAccount(context));
  }

  @Put()
  @Route({ summary: 'Salva a chave Pix', body: pixAccountChange, answer: created })
  set(@Ctx() context: CommandContext, @Body() wanted: PixAccountChange) {
    return this.commands.execute(new SetPixAccount(context, wanted));
  }

  @Post('remove')
  @Route({ summary: 'Remove a chave Pix', body: pixAccountRemoval, answer: created })
  remove(@Ctx() context: CommandContext, @Body() wanted: PixAccountRemoval) {
    return this.commands.execute(new RemovePixAccount(context, wanted));
  }
}

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
