import { Module } from '@nestjs/common';
import { serve } from '../../platform/http/serve.js';
import { searchApi } from './search.api.js';
import { SearchEverything } from './search.queries.js';

@Module(serve(searchApi, { search: SearchEverything }))
export class SearchModule {}
