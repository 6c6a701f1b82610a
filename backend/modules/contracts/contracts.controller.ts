import { Body, Controller, Get, Param, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { anyQuery, OPENINGS, Pages } from '../../platform/http/pages/send-page.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Serves } from '../../platform/http/serve.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { asPrinted } from '../../platform/typed-code.js';
import { VerifyReceipt } from '../receipts/receipts.queries.js';
import {
  CODES_BY_ADDRESS,
  codeParams,
  type TypedCode,
  typedCode,
  contractsCalls,
  contractsOfStudent,
  type ContractsOfStudent,
  ownContracts,
  type Sending,
  signable,
} from './contracts.api.js';
import { VerifySealed } from './sealed-entry.queries.js';
import { Signatures } from './verification.queries.js';
import { entryResult, receiptResult, signatureResult, verifyPage } from './verify-page.html.js';
import { ContractLinks } from './contract-links.service.js';
import { ListRecipients } from './recipients.queries.js';
import { SendContract } from './sending.commands.js';
import { SignedCopies, pdfOf } from './signed-copies.service.js';
import { ListContractsOf, Signables } from './signature-requests.queries.js';

@Controller()
export class ContractsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly addresses: MailAddresses,
    private readonly links: ContractLinks,
  ) {}

  @Serves(contractsCalls.send)
  async send(@Ctx() context: CommandContext, @Param('id') id: string, @Body() { alunos, ...how }: Sending) {
    const recipients = await this.queries.execute(new ListRecipients(context, alunos));
    const tokenHashOf = (requestId: string) => this.links.tokenHashOf(requestId);
    return this.commands.execute(
      new SendContract(context, id, { recipients, ...how, tokenHashOf, addressOf: this.addresses.hashOf }),
    );
  }
}

/** One contract as it was sent to one student. */
@Controller('signature-requests')
export class SignatureRequestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly signables: Signables,
    private readonly copies: SignedCopies,
  ) {}

  @Get()
  @Route({
    summary: 'Lista os contratos que um aluno recebeu',
    query: contractsOfStudent,
    answer: ownContracts,
  })
  ofStudent(@Ctx() context: CommandContext, @Query() { student_id: studentId, at }: ContractsOfStudent) {
    return this.queries.execute(new ListContractsOf({ ...context, studentId }, { at }));
  }

  @Get(':id')
  @Route({
    summary: 'Mostra um contrato como um aluno o recebeu ou assinou',
    params: idParams,
    answer: signable,
  })
  show(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.signables.show(context, id);
  }

  @Get(':id/pdf')
  @Route({ summary: 'Baixa o PDF de um contrato assinado', params: idParams, media: 'application/pdf' })
  async pdf(@Ctx() context: CommandContext, @Param('id') id: string) {
    return pdfOf(this.commands, this.copies, context, id);
  }
}

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
    switch (/^([RLDHM])[A-Z\d]{16}$/.exec(asPrinted(code))?.[1]) {
      case 'R':
        return receiptResult(await this.queries.execute(new VerifyReceipt(code)));
      case 'L':
      case 'D':
      case 'H':
      case 'M':
        return entryResult(await this.queries.execute(new VerifySealed(code)));
      default:
        return signatureResult(await this.signatures.ofCode(code));
    }
  }
}
