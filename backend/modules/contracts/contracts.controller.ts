import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { ContractLinks } from './contract-links.service.js';
import { ListContractReminders } from './contract-reminders.queries.js';
import { ChangeContract, CreateContract } from './contracts.commands.js';
import {
  contract,
  contractChanges,
  contractsOfStudent,
  type ContractsOfStudent,
  type ContractChanges,
  contractList,
  type ContractList,
  contractPage,
  contractReminders,
  contractSaved,
  newContract,
  type NewContract,
  ownContracts,
  reminder,
  type Reminder,
  requestDone,
  requestList,
  type RequestList,
  requestPage,
  sending,
  type Sending,
  sendingPreview,
  sendingQuestion,
  type SendingQuestion,
  sent,
  signable,
} from './contracts.api.js';
import { ListContracts, ShowContract } from './contracts.queries.js';
import { ListRecipients, PreviewSending } from './recipients.queries.js';
import { RemindSigner, RestoreRequest, RevokeRequest, SendContract } from './sending.commands.js';
import { SignedCopies } from './signed-copies.service.js';
import { pdfOf } from './signed-copy.answer.js';
import { ListContractsOf, ListRequests, ShowSignable } from './signature-requests.queries.js';

/** The longest contract, with room for what JSON and HTML add to it. */
const BODY_LIMIT = 256 * 1024;

@Controller('contracts')
export class ContractsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly addresses: MailAddresses,
    private readonly links: ContractLinks,
  ) {}

  @Get()
  @Route({ summary: 'Lista os contratos e termos', query: contractList, answer: contractPage })
  list(@Ctx() context: CommandContext, @Query() list: ContractList) {
    return this.queries.execute(new ListContracts(context, list));
  }

  @Post()
  @Route({
    summary: 'Cria um contrato ou termo',
    body: newContract,
    bodyLimit: BODY_LIMIT,
    answer: contractSaved,
    status: 201,
  })
  create(@Ctx() context: CommandContext, @Body() wanted: NewContract) {
    return this.commands.execute(new CreateContract(context, wanted));
  }

  @Get(':id')
  @Route({ summary: 'Mostra um contrato com as suas versões', params: idParams, answer: contract })
  show(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new ShowContract(context, id));
  }

  @Patch(':id')
  @Route({
    summary: 'Edita, inativa ou reativa um contrato; o que já foi enviado ganha uma nova versão',
    params: idParams,
    body: contractChanges,
    bodyLimit: BODY_LIMIT,
    answer: contractSaved,
  })
  change(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: ContractChanges) {
    return this.commands.execute(new ChangeContract(context, id, changes));
  }

  @Post(':id/send')
  @Route({ summary: 'Envia um contrato para assinatura', params: idParams, body: sending, answer: sent })
  async send(@Ctx() context: CommandContext, @Param('id') id: string, @Body() { alunos, ...how }: Sending) {
    const recipients = await this.queries.execute(new ListRecipients(context, alunos));
    const tokenHashOf = (requestId: string) => this.links.tokenHashOf(requestId);
    return this.commands.execute(
      new SendContract(context, id, {
        ...{ recipients, ...how, tokenHashOf, addressOf: this.addresses.hashOf },
      }),
    );
  }

  @Post(':id/send/preview')
  @Route({
    summary:
      'Mostra o que um envio para assinatura vai fazer: quem precisa do responsável e o que falta no texto',
    asks: true,
    params: idParams,
    body: sendingQuestion,
    answer: sendingPreview,
  })
  preview(@Ctx() context: CommandContext, @Param('id') id: string, @Body() { alunos }: SendingQuestion) {
    return this.queries.execute(new PreviewSending(context, id, alunos));
  }

  @Get(':id/requests')
  @Route({
    summary: 'Lista a quem um contrato foi enviado',
    params: idParams,
    query: requestList,
    answer: requestPage,
  })
  requests(@Ctx() context: CommandContext, @Param('id') id: string, @Query() list: RequestList) {
    return this.queries.execute(new ListRequests(context, id, list));
  }
}

/** One contract as it was sent to one student. */
@Controller('signature-requests')
export class SignatureRequestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly addresses: MailAddresses,
    private readonly copies: SignedCopies,
  ) {}

  @Get('reminders')
  @Route({ summary: 'Lista os lembretes de assinatura prontos para enviar', answer: contractReminders })
  reminders(@Ctx() context: CommandContext) {
    return this.queries.execute(new ListContractReminders(context));
  }

  @Get()
  @Route({
    summary: 'Lista os contratos que um aluno recebeu',
    query: contractsOfStudent,
    answer: ownContracts,
  })
  ofStudent(@Ctx() context: CommandContext, @Query() { student_id: studentId }: ContractsOfStudent) {
    return this.queries.execute(new ListContractsOf({ ...context, studentId }));
  }

  @Get(':id')
  @Route({
    summary: 'Mostra um contrato como um aluno o recebeu ou assinou',
    params: idParams,
    answer: signable,
  })
  show(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new ShowSignable(context, id));
  }

  @Get(':id/pdf')
  @Route({ summary: 'Baixa o PDF de um contrato assinado', params: idParams, media: 'application/pdf' })
  async pdf(@Ctx() context: CommandContext, @Param('id') id: string) {
    return pdfOf(this.commands, this.copies, context, id);
  }

  @Post(':id/remind')
  @Route({ summary: 'Lembra um aluno de assinar', params: idParams, body: reminder, answer: requestDone })
  remind(@Ctx() context: CommandContext, @Param('id') id: string, @Body() { canal }: Reminder) {
    return this.commands.execute(new RemindSigner(context, id, canal, this.addresses.hashOf));
  }

  @Delete(':id')
  @Route({ summary: 'Cancela um link de assinatura', params: idParams, answer: requestDone })
  revoke(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RevokeRequest(context, id));
  }

  @Post(':id/restore')
  @Route({ summary: 'Reativa um link de assinatura cancelado', params: idParams, answer: requestDone })
  restore(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RestoreRequest(context, id));
  }
}
