import { Controller } from '@nestjs/common';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Serves } from '../../platform/http/serve.js';
import { IntegrityChecks } from './integrity-checks.service.js';
import { sealsCalls } from './seals.api.js';

@Controller()
export class SealsController {
  constructor(private readonly checks: IntegrityChecks) {}

  @Serves(sealsCalls.check)
  async check(@Ctx() { tenantId }: CommandContext) {
    return { answer: { id: await this.checks.request(tenantId) }, position: 0 };
  }
}
