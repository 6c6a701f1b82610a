import { Body, Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Serves } from '../../../platform/http/serve.js';
import { AccountDeletions } from './account-deletions.service.js';
import { AccountJobs } from './account-jobs.js';
import { deletionApi, type AccountDeletionBody } from './own-data.api.js';

/** Deletion of the own account. */
@Controller()
export class DeletionController {
  constructor(
    private readonly deletions: AccountDeletions,
    private readonly jobs: AccountJobs,
  ) {}

  @Serves(deletionApi.preview)
  preview(@Req() request: FastifyRequest) {
    return this.deletions.preview(request.caller!);
  }

  @Serves(deletionApi.delete)
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
