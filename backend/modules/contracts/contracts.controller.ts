import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { ContractLinks } from './contract-links.service.js';
import {
  contractsCalls,
  contractsOfStudent,
  type ContractsOfStudent,
  ownContracts,
  type Sending,
  signable,
} from './contracts.api.js';
import { ListRecipients } from './recipients.queries.js';
import { SendContract } from './sending.commands.js';
import { SignedCopies } from './signed-copies.service.js';
import { pdfOf } from './signed-copy.answer.js';
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
      new SendContract(context, id, {
        ...{ recipients, ...how, tokenHashOf, addressOf: this.addresses.hashOf },
      }),
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
    return this.signables.show(context, id);
  }

  @Get(':id/pdf')
  @Route({ summary: 'Baixa o PDF de um contrato assinado', params: idParams, media: 'application/pdf' })
  async pdf(@Ctx() context: CommandContext, @Param('id') id: string) {
    return pdfOf(this.commands, this.copies, context, id);
  }
}
