import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Feature } from '../../platform/features.js';
import { SessionVerifier } from '../../platform/realtime/session-verifier.js';
import { AccessGuard } from './access.guard.js';
import { AccessTokens } from './access-tokens.service.js';
import { accountsErrors } from './accounts.api.js';
import { AuthController } from './auth.controller.js';
import { Grants } from './grants.service.js';
import { MeController } from './me.controller.js';
import { Passwords } from './passwords.service.js';
import { Secrets } from './secrets.service.js';
import { Sessions } from './sessions.service.js';
import { SignUps } from './sign-up.service.js';
import { SigningKeys } from './signing-keys.service.js';
import { tenant } from './tenant.js';
import { Users } from './users.service.js';

/** Who people are: sign-up, sessions, and the guard that stands before every route. */
@Global()
@Module({
  controllers: [AuthController, MeController],
  providers: [
    Secrets,
    SigningKeys,
    AccessTokens,
    Passwords,
    Users,
    Sessions,
    Grants,
    SignUps,
    { provide: SessionVerifier, useExisting: Sessions },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [SessionVerifier],
})
export class AccountsModule {
  static readonly feature: Feature = { aggregates: [tenant], errors: accountsErrors };
}
