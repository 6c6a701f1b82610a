import { Module } from '@nestjs/common';
import { SearchController } from './search.controller.js';
import { SearchEverything } from './search.queries.js';

@Module({ controllers: [SearchController], providers: [SearchEverything.Handler] })
export class SearchModule {}
