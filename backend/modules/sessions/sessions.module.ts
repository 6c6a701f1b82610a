import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { session } from './session.js';
import { sessionsOwnData } from './sessions.own-data.js';
import { sessions } from './sessions.projection.js';

/** A session and what may happen to it. What charges and credits it costs is decided with it, in `agenda`. */
@Module({})
export class SessionsModule {
  static readonly feature: Feature = {
    aggregates: [session],
    projections: [sessions],
    ownData: sessionsOwnData,
  };
}
