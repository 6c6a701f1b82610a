import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { AdvisorController } from './advisor.controller.js';
import {
  ListMissingHandler,
  ListNamesHandler,
  SumOwedLessonsHandler,
  SumPaidByHandler,
} from './advisor.queries.js';
import { BuiltInAdvisor } from './built-in-advisor.service.js';

@Module({
  controllers: [AdvisorController],
  providers: [BuiltInAdvisor, ListNamesHandler, ListMissingHandler, SumOwedLessonsHandler, SumPaidByHandler],
})
export class AdvisorModule {
  static readonly feature: Feature = {};
}
