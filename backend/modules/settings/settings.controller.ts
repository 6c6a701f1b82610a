import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { ChangeZone } from '../accounts/tenant.commands.js';
import {
  type OnboardingData,
  onboardingData,
  settingsChange,
  type SettingsChange,
  shownSettings,
  type ZoneChange,
  zoneChange,
} from './settings.api.js';
import { ChangeFinancialSettings, CompleteOnboarding } from './settings.commands.js';
import { ShowFinancialSettings } from './settings.queries.js';

@Controller()
export class SettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('settings')
  @Route({ summary: 'Mostra metas e percentuais', answer: shownSettings })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowFinancialSettings(context));
  }

  @Put('settings')
  @Route({ summary: 'Define metas e percentuais', body: settingsChange, answer: created })
  change(@Ctx() context: CommandContext, @Body() wanted: SettingsChange) {
    return this.commands.execute(new ChangeFinancialSettings(context, wanted));
  }

  @Put('settings/timezone')
  @Route({ summary: 'Define o fuso horário', body: zoneChange, answer: created })
  changeZone(@Ctx() context: CommandContext, @Body() change: ZoneChange) {
    return this.commands.execute(new ChangeZone(context, change));
  }

  @Post('onboarding')
  @Route({
    summary: 'Conclui a configuração inicial',
    tags: ['settings'],
    body: onboardingData,
    answer: created,
  })
  complete(@Ctx() context: CommandContext, @Body() answers: OnboardingData) {
    return this.commands.execute(new CompleteOnboarding(context, answers));
  }
}
