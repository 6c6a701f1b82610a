import { Module } from '@nestjs/common';
import { Purges } from '../jobs/purges.js';
import { MailSender } from '../mail/mail-sender.js';
import { ProjectionBuilds } from './projection-builds.js';
import { ProjectionRunner } from './projection-runner.js';
import { Projector } from './projector.js';
import { ProjectorPool } from './projector-pool.js';
import { ReactionRunner } from '../reactions/reaction-runner.js';

/** The worker role: handles the platform's jobs. */
@Module({
  providers: [
    ProjectorPool,
    Projector,
    ProjectionBuilds,
    ProjectionRunner,
    MailSender,
    Purges,
    ReactionRunner,
  ],
})
export class WorkerModule {}
