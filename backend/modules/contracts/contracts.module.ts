import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { contract } from './contract.js';
import { ContractReminderJob, contractReminders } from './contract-reminders.job.js';
import { ListContractReminders } from './contract-reminders.queries.js';
import { ContractLinks } from './contract-links.service.js';
import { contractCodeMail, contractMail, ContractMails } from './contract-mails.service.js';
import { contractErrors } from './contracts.api.js';
import { ChangeContract, CreateContract } from './contracts.commands.js';
import { ContractsController, SignatureRequestsController } from './contracts.controller.js';
import { signatureLinks } from './contracts.guard.js';
import { contractsHistory } from './contracts.history.js';
import { contracts, signatureRequests } from './contracts.projection.js';
import { ListContracts, ShowContract } from './contracts.queries.js';
import { ListRecipients, PreviewSending } from './recipients.queries.js';
import {
  RemindByItself,
  RemindSigner,
  RestoreRequest,
  RevokeRequest,
  SendContract,
} from './sending.commands.js';
import { signatureRequest } from './signature-request.js';
import { ListContractsOf, ListRequestsHandler, ShowSignableHandler } from './signature-requests.queries.js';
import {
  ConfirmCode,
  DeclineContract,
  NoteDownload,
  OpenRequest,
  SendCode,
  SignContract,
  WithdrawFromContract,
} from './signing.commands.js';
import {
  ContractCodesController,
  ContractFilesController,
  OwnContractsController,
  SignatureLinksController,
} from './signing.controller.js';
import { SignedCopies, signedCopiesDue, signedCopy, signedCopyWake } from './signed-copies.service.js';
import { Signatures, VerifyFileHandler, VerifySignatureHandler } from './verification.queries.js';

@Module({
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
    ListContractReminders.Handler,
    CreateContract.Handler,
    ChangeContract.Handler,
    SendContract.Handler,
    RemindSigner.Handler,
    RemindByItself.Handler,
    RevokeRequest.Handler,
    RestoreRequest.Handler,
    OpenRequest.Handler,
    NoteDownload.Handler,
    SignedCopies,
    SendCode.Handler,
    ConfirmCode.Handler,
    SignContract.Handler,
    DeclineContract.Handler,
    WithdrawFromContract.Handler,
    ListContracts.Handler,
    ShowContract.Handler,
    ListRequestsHandler,
    ListRecipients.Handler,
    PreviewSending.Handler,
    ShowSignableHandler,
    ListContractsOf.Handler,
    Signatures,
    VerifySignatureHandler,
    VerifyFileHandler,
  ],
})
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
