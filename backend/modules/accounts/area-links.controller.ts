import { randomUUID } from 'node:crypto';
import { Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Serves } from '../../platform/http/serve.js';
import { areaLinksCalls } from './area-links.api.js';
import { OpenAreaLink } from './area-links.commands.js';
import { AreaLinks } from './area-links.service.js';

/** Links by which students without an account see their area. */
@Controller()
export class AreaLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: AreaLinks,
  ) {}

  @Serves(areaLinksCalls.open)
  async open(@Ctx() context: CommandContext, @Param('id') studentId: string) {
    const link_id = randomUUID();
    const link = { link_id, token_hash: this.links.hashOf(link_id) };
    const { answer, ...result } = await this.commands.execute(new OpenAreaLink(context, studentId, link));
    const { id, expires_at } = answer;
    return { answer: { url: this.links.urlOf(id), expires_at }, ...result };
  }
}
