import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { contract } from './contract.js';
import { ContractReminderJob, contractReminders } from './contract-reminders.job.js';
import { ListContractReminders } from './contract-reminders.queries.js';
import { ContractLinks } from './contract-links.service.js';
import { contractCodeMail, contractMail, ContractMails } from './contract-mails.service.js';
import { contractsApi, signatureRequestsApi, ownContractsApi, contractErrors } from './contracts.api.js';
import { CreateContract, ChangeContract } from './contracts.commands.js';
import { ContractsController, SignatureRequestsController } from './contracts.controller.js';
import { signatureLinks } from './contracts.guard.js';
import { contractsHistory } from './contracts.history.js';
import { contracts, signatureRequests } from './contracts.projection.js';
import { ListContracts, ShowContract } from './contracts.queries.js';
import { PreviewSending, ListRecipients } from './recipients.queries.js';
import {
  RemindSigner,
  RevokeRequest,
  RestoreRequest,
  RemindByItself,
  SendContract,
} from './sending.commands.js';
import { signatureRequest } from './signature-request.js';
import { ListRequests, ListContractsOf, ShowSignableHandler } from './signature-requests.queries.js';
import {
  SendCode,
  DeclineContract,
  OpenRequest,
  WithdrawFromContract,
  ConfirmCode,
  NoteDownload,
  SignContract,
} from './signing.commands.js';
import {
  ContractCodesController,
  ContractFilesController,
  OwnContractsController,
  SignatureLinksController,
} from './signing.controller.js';
import { SignedCopies, signedCopiesDue, signedCopy, signedCopyWake } from './signed-copies.service.js';
import { Signatures, VerifyFileHandler, VerifySignatureHandler } from './verification.queries.js';

@Module(
  together(
    serve(contractsApi, {
      preview: PreviewSending,
      requests: ListRequests,
      list: ListContracts,
      create: CreateContract,
      show: ShowContract,
      change: ChangeContract,
    }),
    serve(signatureRequestsApi, {
      remind: RemindSigner,
      reminders: ListContractReminders,
      revoke: RevokeRequest,
      restore: RestoreRequest,
    }),
    serve(ownContractsApi, {
      sendCode: SendCode,
      decline: DeclineContract,
      list: ListContractsOf,
      open: OpenRequest,
      withdraw: WithdrawFromContract,
    }),
    {
      controllers: [
        ContractsController,
        SignatureRequestsController,
        OwnContractsController,
        SignatureLinksController,
        ContractCodesController,
        ContractFilesController,
      ],
      providers: [
        ContractLinks,
        ContractMails,
        ContractReminderJob,
        SendContract.Handler,
        RemindByItself.Handler,
        NoteDownload.Handler,
        SignedCopies,
        ConfirmCode.Handler,
        SignContract.Handler,
        ListRecipients.Handler,
        ShowSignableHandler,
        Signatures,
        VerifySignatureHandler,
        VerifyFileHandler,
      ],
    },
  ),
)
export class ContractsModule {
  static readonly feature: Feature = {
    aggregates: [contract, signatureRequest],
    guards: [signatureLinks],
    projections: [contracts, signatureRequests],
    history: contractsHistory,
    errors: contractErrors,
    jobs: [signedCopy, signedCopiesDue, contractReminders],
    reactions: [contractMail, contractCodeMail, signedCopyWake],
  };
}
