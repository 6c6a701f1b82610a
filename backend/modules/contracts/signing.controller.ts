import { Body, Controller, Get, Header, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { anonymousAddress } from '../../platform/http/address.js';
import { type RateLimitOptions, STUDENT_WRITES } from '../../platform/http/calls.api.js';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, contextOfLink, Ctx } from '../../platform/http/context.js';
import { anyQuery, OPENINGS, Pages } from '../../platform/http/pages/send-page.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit, RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import { ContractLinks } from './contract-links.service.js';
import {
  contractFilesApi,
  byLink,
  type ByLink,
  byLinkAndCpf,
  type ByLinkAndCpf,
  CODE_MINUTES,
  codeChecked,
  codeTyped,
  type CodeTyped,
  codeTypedByLink,
  type CodeTypedByLink,
  linkParams,
  refusalByLink,
  type RefusalByLink,
  requestDone,
  signable,
  signedByLink,
  signature,
  type Signature,
  signatureByLink,
  type SignatureByLink,
} from './contracts.api.js';
import { LinkedContracts } from './linked-contracts.service.js';
import {
  ConfirmCode,
  DeclineContract,
  OpenRequest,
  SendCode,
  SignContract,
  WithdrawFromContract,
} from './signing.commands.js';
import { SignedCopies, pdfOf } from './signed-copies.service.js';
import { Signables } from './signature-requests.queries.js';
import { Signatures } from './verification.queries.js';

/** Apart from those of other pages: a page that is open looks again, and keeps nobody from opening another one. */
const LOOKS = { ...OPENINGS, name: 'signature-pages' };
const BY_ADDRESS = { name: 'signature-links', points: 100, seconds: 600 };
const CPFS_BY_ADDRESS = { name: 'signature-cpfs', points: 60, seconds: 600 };
/** Limits guesses of a CPF for each link, from any number of addresses. */
const CPFS_BY_LINK = { name: 'signature-cpfs-of-link', points: 20, seconds: 3600, isShared: true } as const;
/**
 * Limits guesses of a mailed code that its owner has confirmed, for each request, from any number of addresses: unlike
 * guesses before the confirmation, they record no event that could be counted.
 */
const SIGNATURES_WITH_CODE: RateLimitOptions = {
  name: 'signatures-with-code',
  points: 10,
  seconds: CODE_MINUTES * 60,
  isShared: true,
};
const LONGEST_NAME = 300;

/** What the server sees of the signer. */
const seenOf = ({ ip, headers }: FastifyRequest) => ({
  ip_address: anonymousAddress(ip),
  navegador: headers['user-agent']?.replace(/[^\P{C}]/gu, '').slice(0, LONGEST_NAME) || null,
});

/** For students with an account. */
@Controller('student/signature-requests')
export class OwnContractsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly signables: Signables,
    private readonly links: ContractLinks,
    private readonly copies: SignedCopies,
    private readonly limits: RateLimits,
  ) {}

  @Get(':id')
  @Route({
    summary: 'Mostra um contrato do próprio aluno',
    roles: ['aluno'],
    params: idParams,
    answer: signable,
  })
  show(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.signables.show(context, id);
  }

  @Get(':id/pdf')
  @Route({
    summary: 'Baixa o PDF de um contrato assinado pelo próprio aluno',
    roles: ['aluno'],
    params: idParams,
    media: 'application/pdf',
  })
  pdf(@Ctx() context: CommandContext, @Param('id') id: string) {
    return pdfOf(this.commands, this.copies, context, id);
  }

  @Post(':id/confirm-code')
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Confirma o código recebido por e-mail; pelo link da área, mostra onde assinar',
    roles: ['aluno'],
    byLink: true,
    params: idParams,
    body: codeTyped,
    answer: codeChecked,
  })
  async confirmCode(@Ctx() context: CommandContext, @Param('id') id: string, @Body() { codigo }: CodeTyped) {
    const { codeOf } = this.links.secretsOf(id);
    const { answer, ...result } = await this.commands.execute(new ConfirmCode(context, id, codigo, codeOf));
    // A link of the area may have been forwarded: what signs is shown only to who reads the student's mail.
    const link = context.byLink && answer.confirmado ? this.links.pathOf(id) : null;
    return { answer: { ...answer, link }, ...result };
  }

  @Post(':id/sign')
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Assina um contrato',
    roles: ['aluno'],
    params: idParams,
    body: signature,
    answer: requestDone,
  })
  async sign(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Body() body: Signature,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (body.codigo !== null) await this.limits.consume(SIGNATURES_WITH_CODE, id, reply);
    const seen = { ...seenOf(request), meio: 'conta' as const, ...this.links.secretsOf(id) };
    return this.commands.execute(new SignContract(context, id, body, seen));
  }
}

/** The page of a signing link. */
@Controller('assinar')
export class SigningPageController {
  constructor(
    private readonly contracts: LinkedContracts,
    private readonly pages: Pages,
  ) {}

  @Get(':token')
  @RateLimit(LOOKS)
  @Route({
    summary: 'Abre a página para ler e assinar um contrato',
    tags: ['signature-links'],
    public: true,
    params: linkParams,
    query: anyQuery,
    media: 'text/html',
  })
  async open(@Param('token') token: string, @Res() reply: FastifyReply) {
    const { contract, link } = await this.contracts.read(token);
    return this.pages.send(reply, this.contracts.pageOf(contract, token, link));
  }
}

/**
 * Of what the page asks for while it is filled in: a single answer with `no-store`, and Chromium does not hold the page in memory for
 * going back, so that the typed CPF would be gone. The page itself asks with `cache: 'no-store'`.
 */
const WhileTyping = () => Header('Cache-Control', 'private, no-cache');

/** What the script of that page reads and writes. */
@Controller('signature-links')
export class SignatureLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contracts: LinkedContracts,
    private readonly links: ContractLinks,
    private readonly copies: SignedCopies,
    private readonly limits: RateLimits,
  ) {}

  @Get(':token')
  @RateLimit(BY_ADDRESS)
  @WhileTyping()
  @Route({ summary: 'Mostra o contrato de um link', public: true, params: linkParams, answer: signable })
  async show(@Param('token') token: string) {
    return (await this.contracts.read(token)).contract;
  }

  @Post('read')
  @RateLimit(CPFS_BY_ADDRESS)
  @Route({
    summary: 'Mostra um contrato assinado a quem informa o CPF de quem assinou',
    public: true,
    asks: true,
    body: byLinkAndCpf,
    answer: signedByLink,
  })
  async read(@Body() body: ByLinkAndCpf, @Res({ passthrough: true }) reply: FastifyReply) {
    const { contract, link } = await this.signed(body, reply);
    return { ...contract, pagina: this.contracts.pageOf(contract, body.token, link) };
  }

  @Post('pdf')
  @RateLimit(CPFS_BY_ADDRESS)
  @Route({
    summary: 'Baixa o PDF de um contrato assinado, com o CPF de quem assinou',
    public: true,
    asks: true,
    body: byLinkAndCpf,
    media: 'application/pdf',
  })
  async pdf(
    @Body() body: ByLinkAndCpf,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.signed(body, reply);
    const { context, id } = await this.signer(body.token, request);
    return pdfOf(this.commands, this.copies, context, id);
  }

  @Post('open')
  @RateLimit(BY_ADDRESS)
  @WhileTyping()
  @Route({
    summary: 'Registra que o contrato de um link foi aberto',
    public: true,
    body: byLink,
    answer: requestDone,
  })
  async open(@Body() { token }: ByLink, @Req() request: FastifyRequest) {
    const { context, id } = await this.signer(token, request);
    return this.commands.execute(new OpenRequest(context, id));
  }

  @Post('code')
  @RateLimit(BY_ADDRESS)
  @WhileTyping()
  @Route({
    summary: 'Envia por e-mail o código para assinar o contrato de um link',
    public: true,
    body: byLink,
    answer: requestDone,
  })
  async sendCode(@Body() { token }: ByLink, @Req() request: FastifyRequest) {
    const { context, id } = await this.signer(token, request);
    return this.commands.execute(new SendCode(context, id));
  }

  @Post('confirm-code')
  @RateLimit(BY_ADDRESS)
  @WhileTyping()
  @Route({
    summary: 'Confirma o código recebido por e-mail para o contrato de um link',
    public: true,
    body: codeTypedByLink,
    answer: codeChecked,
  })
  async confirmCode(@Body() { token, codigo }: CodeTypedByLink, @Req() request: FastifyRequest) {
    const { context, id } = await this.signer(token, request);
    const { codeOf } = this.links.secretsOf(id);
    const { answer, position } = await this.commands.execute(new ConfirmCode(context, id, codigo, codeOf));
    return { answer: { ...answer, link: null }, position };
  }

  @Post('sign')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Assina o contrato de um link',
    public: true,
    body: signatureByLink,
    answer: requestDone,
  })
  async sign(
    @Body() { token, ...body }: SignatureByLink,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { context, id, contractId } = await this.signer(token, request);
    if (body.codigo !== null) await this.limits.consume(SIGNATURES_WITH_CODE, id, reply);
    const seen = { ...seenOf(request), meio: 'link' as const, ...this.links.secretsOf(id) };
    return this.commands.execute(new SignContract(context, id, body, seen, contractId));
  }

  @Post('decline')
  @RateLimit(BY_ADDRESS)
  @Route({ summary: 'Recusa o contrato de um link', public: true, body: refusalByLink, answer: requestDone })
  async decline(@Body() { token, motivo }: RefusalByLink, @Req() request: FastifyRequest) {
    const { context, id } = await this.signer(token, request);
    return this.commands.execute(new DeclineContract(context, id, { motivo }));
  }

  @Post('withdraw')
  @RateLimit(CPFS_BY_ADDRESS)
  @Route({
    summary: 'Desiste do contrato de um link em até 7 dias da assinatura, com o CPF de quem assinou',
    public: true,
    body: byLinkAndCpf,
    answer: requestDone,
  })
  async withdraw(
    @Body() body: ByLinkAndCpf,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.signed(body, reply);
    const { context, id } = await this.signer(body.token, request);
    return this.commands.execute(new WithdrawFromContract(context, id));
  }

  /** @throws Problem 409 where it is not signed, 403 for a CPF that is not the signer's */
  private async signed({ token, cpf }: ByLinkAndCpf, reply: FastifyReply) {
    const link = await this.links.find(token);
    await this.limits.consume(CPFS_BY_LINK, link.requestId, reply);
    const isUpToDate = await this.contracts.catchUp(link);
    const contract = await this.contracts.show(link, cpf);
    if (!contract.prova)
      throw isUpToDate ? new Problem('contracts.not_signed') : new Problem('busy', { retryAfter: 1 });
    if (contract.pede_cpf) throw new Problem('contracts.wrong_cpf');
    return { contract, link };
  }

  /** The actor is the student to whom the link was sent. */
  private async signer(
    token: string,
    request: FastifyRequest,
  ): Promise<{ context: CommandContext; id: string; contractId: string }> {
    const link = await this.links.find(token);
    return { context: contextOfLink(link, request), id: link.requestId, contractId: link.contractId };
  }
}

/** Verifies a PDF by its SHA-256: the file itself is not sent. */
@Controller()
export class ContractFilesController {
  constructor(private readonly signatures: Signatures) {}

  @Serves(contractFilesApi.verify)
  verify(@Param('sha256') sha256: string) {
    return this.signatures.ofFile(sha256);
  }
}
