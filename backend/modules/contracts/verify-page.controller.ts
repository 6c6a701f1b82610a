import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { anyQuery, OPENINGS, Pages } from '../../platform/http/pages/send-page.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { VerifyReceipt } from '../receipts/receipts.queries.js';
import { CODES_BY_ADDRESS, codeParams, type TypedCode, typedCode } from './contracts.api.js';
import { VerifySealed } from './sealed-entry.queries.js';
import { Signatures } from './verification.queries.js';
import { entryResult, receiptResult, signatureResult, verifyPage } from './verify-page.html.js';

const page = { tags: ['contracts'], public: true, media: 'text/html' };

/** The page on which anybody verifies a signed contract or a receipt. */
@Controller('verificar')
export class VerifyPageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly signatures: Signatures,
    private readonly pages: Pages,
  ) {}

  @Get()
  @RateLimit(OPENINGS)
  @Route({ summary: 'Abre a página que verifica documentos', query: typedCode, ...page })
  start(@Query() { codigo = '' }: TypedCode, @Res() reply: FastifyReply) {
    const code = codigo.trim();
    if (code) return reply.redirect(`/verificar/${encodeURIComponent(code)}`, 303);
    return this.pages.send(reply, verifyPage({ siteUrl: this.pages.siteUrl }));
  }

  @Get(':code')
  @RateLimit(CODES_BY_ADDRESS)
  @Route({ summary: 'Verifica um documento pelo código', params: codeParams, query: anyQuery, ...page })
  async verify(@Param('code') code: string, @Res() reply: FastifyReply) {
    return this.pages.send(
      reply,
      verifyPage({ code, result: await this.resultOf(code), siteUrl: this.pages.siteUrl }),
    );
  }

  /** The code of a receipt or an entry of the log has the format of a contract's, with a letter in front. */
  private async resultOf(code: string) {
    switch (/^([RLDH])[A-Z\d]{16}$/.exec(code.toUpperCase().replace(/[^A-Z\d]/g, ''))?.[1]) {
      case 'R':
        return receiptResult(await this.queries.execute(new VerifyReceipt(code)));
      case 'L':
      case 'D':
      case 'H':
        return entryResult(await this.queries.execute(new VerifySealed(code)));
      default:
        return signatureResult(await this.signatures.ofCode(code));
    }
  }
}
