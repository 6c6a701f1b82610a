import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { created } from '../../../platform/http/common.api.js';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { AccountDeletions } from './account-deletions.service.js';
import { AccountJobs } from './account-jobs.js';
import { accountDeletion, type AccountDeletionBody, deletionPreview } from './own-data.api.js';

/** Deletion of the own account. */
@Controller('account/deletion')
export class DeletionController {
  constructor(
    private readonly deletions: AccountDeletions,
    private readonly jobs: AccountJobs,
  ) {}

  @Get()
  @Route({ summary: 'Mostra o que a exclusão da conta faria', signedIn: true, answer: deletionPreview })
  preview(@Req() request: FastifyRequest) {
    return this.deletions.preview(request.caller!);
  }

  @Post()
  @RateLimit({ name: 'account-deletion', points: 30, seconds: 600 })
  @Route({
    summary: 'Exclui a própria conta, para sempre',
    signedIn: true,
    body: accountDeletion,
    answer: created,
  })
  async delete(
    @Body() { confirmacao: _typed, ...proof }: AccountDeletionBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { userId } = request.caller!;
    await this.deletions.request(request.caller!, proof, { request, reply });
    this.jobs.wake('deletion', userId);
    return { answer: { id: userId }, position: 0 };
  }
}
