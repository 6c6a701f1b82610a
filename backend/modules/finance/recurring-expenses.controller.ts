import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  recurringExpenseChange,
  type RecurringExpenseChange,
  recurringExpenseList,
  type RecurringExpenseList,
  recurringExpensePage,
  recurringExpenseTerms,
  type RecurringExpenseTerms,
} from './recurring-expenses.api.js';
import {
  AddRecurringExpense,
  EndRecurringExpense,
  SetRecurringExpense,
} from './recurring-expenses.commands.js';
import { ListRecurringExpenses } from './recurring-expenses.queries.js';

@Controller('recurring-expenses')
export class RecurringExpensesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({
    summary: 'Lista despesas recorrentes',
    query: recurringExpenseList,
    answer: recurringExpensePage,
  })
  list(@Ctx() context: CommandContext, @Query() list: RecurringExpenseList) {
    return this.queries.execute(new ListRecurringExpenses(context, list));
  }

  @Post()
  @Route({
    summary: 'Cria uma despesa recorrente',
    body: recurringExpenseTerms,
    answer: created,
    status: 201,
  })
  add(@Ctx() context: CommandContext, @Body() terms: RecurringExpenseTerms) {
    return this.commands.execute(new AddRecurringExpense(context, terms));
  }

  @Put(':id')
  @Route({
    summary: 'Altera uma despesa recorrente, ou reativa uma encerrada',
    params: idParams,
    body: recurringExpenseChange,
    answer: created,
  })
  set(@Ctx() context: CommandContext, @Param('id') id: string, @Body() terms: RecurringExpenseChange) {
    return this.commands.execute(new SetRecurringExpense(context, id, terms));
  }

  @Delete(':id')
  @Route({ summary: 'Encerra uma despesa recorrente', params: idParams, answer: created })
  end(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new EndRecurringExpense(context, id));
  }
}
