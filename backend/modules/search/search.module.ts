import { Module } from '@nestjs/common';
import { SearchController } from './search.controller.js';
import { SearchEverythingHandler } from './search.queries.js';

@Module({ controllers: [SearchController], providers: [SearchEverythingHandler] })
export class SearchModule {}
