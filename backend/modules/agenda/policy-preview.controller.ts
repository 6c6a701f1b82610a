import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { policyPreview, triedTerms, type TriedTerms } from './policy-preview.api.js';
import { PreviewPolicy } from './policy-preview.queries.js';

@Controller('locations')
export class PolicyPreviewController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id/policy/preview')
  @Route({
    summary: 'Mostra o que cancelamentos passados teriam custado com outra política',
    tags: ['policies'],
    params: idParams,
    query: triedTerms,
    answer: policyPreview,
  })
  preview(@Ctx() context: CommandContext, @Param('id') id: string, @Query() terms: TriedTerms) {
    return this.queries.execute(new PreviewPolicy(context, id, terms));
  }
}
