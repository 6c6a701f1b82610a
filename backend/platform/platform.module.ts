import { Global, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { Database } from './database/database.js';
import { EventCodec } from './event-store/event-codec.js';
import { EventStore } from './event-store/event-store.js';
import { KeptFiles } from './event-store/kept-files.service.js';
import { ForgottenList } from './event-store/forgotten-list.js';
import { GuardBuilds } from './event-store/guard-builds.js';
import { GuardRebuild } from './event-store/guard-rebuild.js';
import { PersonalData } from './event-store/personal-data.js';
import { type Feature, FeatureRegistry } from './features.js';
import { ReadYourWrites } from './http/read-your-writes.js';
import { Config } from './config/env.js';
import { platformJobs } from './jobs/platform-jobs.js';
import { Queues } from './jobs/queues.js';
import { FolderPost } from './mail/folder-post.js';
import { MailAddresses } from './mail/mail-addresses.js';
import { Outbox } from './mail/outbox.js';
import { LinkTokens } from './link-tokens.js';
import { PdfSeals } from './pdf/pdf-seals.service.js';
import { PdfWriter } from './pdf/pdf-writer.service.js';
import { Post } from './mail/post.js';
import { SmtpPost } from './mail/smtp-post.js';
import { PastTables } from './projections/past-tables.js';
import { ProjectionWait } from './projections/projection-wait.js';
import { Reactions } from './reactions/define-reaction.js';
import { HintBus } from './realtime/hint-bus.js';

/** What modules may use. */
const forModules = [
  Database,
  PersonalData,
  EventCodec,
  GuardBuilds,
  EventStore,
  ForgottenList,
  Queues,
  HintBus,
  LinkTokens,
  MailAddresses,
  Outbox,
  KeptFiles,
  PdfSeals,
  PdfWriter,
  PastTables,
  Reactions,
];

/** Providers that every role needs: the event log, job queues, hints between processes. */
@Global()
@Module({
  imports: [CqrsModule.forRoot()],
  providers: [
    {
      provide: FeatureRegistry,
      useFactory: (modules: ModulesContainer) =>
        new FeatureRegistry(() => [...modules.values()].map(({ metatype }) => metatype)),
      inject: [ModulesContainer],
    },
    GuardRebuild,
    ...forModules,
    {
      provide: Post,
      useFactory: (config: Config) => (config.smtpUrl ? new SmtpPost(config) : new FolderPost(config)),
      inject: [Config],
    },
    { provide: ReadYourWrites, useClass: ProjectionWait },
  ],
  exports: [CqrsModule, FeatureRegistry, ...forModules, Post, ReadYourWrites],
})
export class PlatformModule {
  static readonly feature: Feature = { jobs: platformJobs };
}
