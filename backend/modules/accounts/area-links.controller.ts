import { randomUUID } from 'node:crypto';
import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { newAreaLink, ownArea } from './area-links.api.js';
import { EndAreaLink, OpenAreaLink } from './area-links.commands.js';
import { ShowOwnArea } from './area-links.queries.js';
import { AreaLinks } from './area-links.service.js';

/** Links by which students without an account see their area. */
@Controller()
export class AreaLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly links: AreaLinks,
  ) {}

  @Post('students/:id/area-link')
  @Route({
    summary: 'Gera o link da área de um aluno sem conta; o anterior deixa de valer',
    params: idParams,
    answer: newAreaLink,
    status: 201,
  })
  async open(@Ctx() context: CommandContext, @Param('id') studentId: string) {
    const link_id = randomUUID();
    const link = { link_id, token_hash: this.links.hashOf(link_id) };
    const { answer, position } = await this.commands.execute(new OpenAreaLink(context, studentId, link));
    const { id, expires_at } = answer;
    return { answer: { url: this.links.urlOf(id), expires_at }, position };
  }

  @Delete('students/:id/area-link')
  @Route({ summary: 'Desativa o link da área de um aluno', params: idParams, answer: created })
  end(@Ctx() context: CommandContext, @Param('id') studentId: string) {
    return this.commands.execute(new EndAreaLink(context, studentId));
  }

  @Get('student/area')
  @Route({
    summary: 'Mostra de quem é a área do aluno',
    roles: ['aluno'],
    byLink: true,
    answer: ownArea,
  })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowOwnArea(context));
  }
}
