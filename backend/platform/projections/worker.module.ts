import { Module } from '@nestjs/common';
import { MailSender } from '../mail/mail-sender.js';
import { ProjectionBuilds } from './projection-builds.js';
import { ProjectionRunner } from './projection-runner.js';
import { Projector } from './projector.js';
import { ProjectorPool } from './projector-pool.js';

/** The worker role: projects what commands recorded, sends mails. */
@Module({ providers: [ProjectorPool, Projector, ProjectionBuilds, ProjectionRunner, MailSender] })
export class WorkerModule {}
