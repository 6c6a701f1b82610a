import { Readable } from 'node:stream';
import { Body, Controller, Get, Param, Post, Req, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { created } from '../../../platform/http/common.api.js';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { type Caller, From } from '../auth/auth-controller.js';
import { AccountExports } from './account-exports.service.js';
import { AccountJobs } from './account-jobs.js';
import { exportParams, exportState, personProof, type PersonProof } from './own-data.api.js';

/** Exports of the own data. */
@Controller('account/exports')
export class ExportsController {
  constructor(
    private readonly exports: AccountExports,
    private readonly jobs: AccountJobs,
  ) {}

  @Get()
  @Route({
    summary: 'Mostra a última cópia dos próprios dados que esta sessão pediu',
    signedIn: true,
    answer: exportState,
  })
  show(@Req() request: FastifyRequest) {
    return this.exports.show(request.caller!);
  }

  @Post()
  @RateLimit({ name: 'account-exports-by-address', points: 30, seconds: 600 })
  @Route({
    summary: 'Pede uma cópia de todos os próprios dados',
    signedIn: true,
    body: personProof,
    answer: created,
    status: 201,
  })
  async request(@Body() proof: PersonProof, @From() caller: Caller) {
    const id = await this.exports.request(caller.request.caller!.userId, proof, caller);
    this.jobs.wake('export', id);
    return { answer: { id }, position: 0 };
  }

  @Get(':export/file')
  @Route({
    summary: 'Baixa a cópia dos próprios dados que esta sessão pediu',
    signedIn: true,
    params: exportParams,
    media: 'application/zip',
  })
  async file(@Req() request: FastifyRequest, @Param('export') id: string) {
    const { name, bytes, content } = await this.exports.file(request.caller!, id);
    return new StreamableFile(Readable.from(content, { objectMode: false }), {
      type: 'application/zip',
      disposition: `attachment; filename="${name}"`,
      length: bytes,
    });
  }
}
