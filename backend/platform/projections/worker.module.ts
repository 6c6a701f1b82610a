import { Module } from '@nestjs/common';
import { ParkedProjections } from './parked-projections.js';
import { ProjectionRunner } from './projection-runner.js';
import { Projector } from './projector.js';
import { ProjectorPool } from './projector-pool.js';

/** The worker role: projects what commands recorded. */
@Module({ providers: [ProjectorPool, Projector, ParkedProjections, ProjectionRunner] })
export class WorkerModule {}
