import { Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Serves } from '../../platform/http/serve.js';
import { privacyCalls } from './privacy.api.js';
import { ForgetStudent } from './privacy.commands.js';

@Controller()
export class PrivacyController {
  constructor(private readonly commands: CommandBus) {}

  @Serves(privacyCalls.forget)
  forget(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ForgetStudent(context, id));
  }
}
