import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  creditAdjustment,
  type CreditAdjustment,
  creditBalance,
  creditStatement,
  creditTransferDone,
  creditUse,
  type CreditUse,
  lowCreditsPage,
  lowCreditsQuery,
  newCreditTransfer,
  type NewCreditTransfer,
  type LowCreditsQuery,
  statementQuery,
  type StatementQuery,
} from './credits.api.js';
import { TransferCredits, UndoCreditTransfer } from './credit-transfer.commands.js';
import { AdjustCredits, ConsumeCredit } from './credits.commands.js';
import { GetCreditStatement, ListLowCredits } from './credits.queries.js';

@Controller('credits')
export class CreditListsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('low')
  @Route({
    summary: 'Lista alunos com poucos créditos ou créditos a vencer',
    query: lowCreditsQuery,
    answer: lowCreditsPage,
  })
  low(@Ctx() context: CommandContext, @Query() list: LowCreditsQuery) {
    return this.queries.execute(new ListLowCredits(context, list));
  }
}

@Controller('students/:id/credits')
export class CreditsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({
    summary: 'Mostra saldo, lotes e extrato de créditos, agora ou em um momento',
    tags: ['credits'],
    params: idParams,
    query: statementQuery,
    answer: creditStatement,
  })
  statement(@Ctx() context: CommandContext, @Param('id') id: string, @Query() query: StatementQuery) {
    return this.queries.execute(new GetCreditStatement(context, id, query));
  }

  @Post('adjust')
  @Route({
    summary: 'Adiciona ou remove créditos, com motivo',
    tags: ['credits'],
    params: idParams,
    body: creditAdjustment,
    answer: creditBalance,
  })
  adjust(@Ctx() context: CommandContext, @Param('id') id: string, @Body() adjustment: CreditAdjustment) {
    return this.commands.execute(new AdjustCredits(context, id, adjustment));
  }

  @Post('consume')
  @Route({
    summary: 'Dá baixa em um crédito, com motivo',
    tags: ['credits'],
    params: idParams,
    body: creditUse,
    answer: creditBalance,
  })
  consume(@Ctx() context: CommandContext, @Param('id') id: string, @Body() use: CreditUse) {
    return this.commands.execute(new ConsumeCredit(context, id, use));
  }

  @Post('transfer')
  @Route({
    summary: 'Transfere créditos para outro aluno, com motivo',
    tags: ['credits'],
    params: idParams,
    body: newCreditTransfer,
    answer: creditTransferDone,
  })
  transfer(@Ctx() context: CommandContext, @Param('id') id: string, @Body() wanted: NewCreditTransfer) {
    return this.commands.execute(new TransferCredits(context, id, wanted));
  }
}

@Controller('credits/transfers')
export class CreditTransfersController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/undo')
  @Route({
    summary: 'Desfaz uma transferência de créditos que ainda não foram usados',
    tags: ['credits'],
    params: idParams,
    answer: creditTransferDone,
  })
  undo(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new UndoCreditTransfer(context, id));
  }
}
