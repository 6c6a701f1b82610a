import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  newPlan,
  type NewPlan,
  plan,
  planChanges,
  type PlanChanges,
  planList,
  type PlanList,
  planPage,
} from './plans.api.js';
import { CreatePlan, RemovePlan, RestorePlan, UpdatePlan } from './plans.commands.js';
import { GetPlan, ListPlans } from './plans.queries.js';

@Controller('plans')
export class PlansController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Lista planos', query: planList, answer: planPage })
  list(@Ctx() context: CommandContext, @Query() list: PlanList) {
    return this.queries.execute(new ListPlans(context, list));
  }

  @Post()
  @Route({ summary: 'Cadastra um plano', body: newPlan, answer: created, status: 201 })
  create(@Ctx() context: CommandContext, @Body() fields: NewPlan) {
    return this.commands.execute(new CreatePlan(context, fields));
  }

  @Get(':id')
  @Route({ summary: 'Mostra um plano', params: idParams, answer: plan })
  get(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new GetPlan(context, id));
  }

  @Patch(':id')
  @Route({
    summary: 'Altera, ativa ou inativa um plano',
    params: idParams,
    body: planChanges,
    answer: created,
  })
  update(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: PlanChanges) {
    return this.commands.execute(new UpdatePlan(context, id, changes));
  }

  @Delete(':id')
  @Route({ summary: 'Exclui um plano sem vínculos', params: idParams, answer: created })
  remove(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RemovePlan(context, id));
  }

  @Post(':id/restore')
  @Route({ summary: 'Desfaz a exclusão de um plano', params: idParams, answer: created })
  restore(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RestorePlan(context, id));
  }
}
