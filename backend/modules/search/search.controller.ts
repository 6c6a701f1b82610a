import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { searchQuery, type SearchQuery, searchResults } from './search.api.js';
import { SearchEverything } from './search.queries.js';

@Controller('search')
export class SearchController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Route({ summary: 'Busca alunos, sessões e tarefas', query: searchQuery, answer: searchResults })
  search(@Ctx() context: CommandContext, @Query() search: SearchQuery) {
    return this.queries.execute(new SearchEverything(context, search));
  }
}
