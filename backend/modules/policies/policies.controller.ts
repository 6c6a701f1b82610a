import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { policyChange, type PolicyChange, policyList, type PolicyList, policyPage } from './policies.api.js';
import { SetCancellationPolicy } from './policies.commands.js';
import { ListPolicies } from './policies.queries.js';

@Controller()
export class PoliciesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('policies')
  @Route({ summary: 'Lista as políticas de cancelamento por local', query: policyList, answer: policyPage })
  list(@Ctx() context: CommandContext, @Query() list: PolicyList) {
    return this.queries.execute(new ListPolicies(context, list));
  }

  @Put('locations/:id/policy')
  @Route({
    summary: 'Define a política de cancelamento de um local',
    tags: ['policies'],
    params: idParams,
    body: policyChange,
    answer: created,
  })
  set(@Ctx() context: CommandContext, @Param('id') id: string, @Body() wanted: PolicyChange) {
    return this.commands.execute(new SetCancellationPolicy(context, id, wanted));
  }
}
