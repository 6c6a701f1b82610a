import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import * as z from 'zod/mini';
import { Database, type Query } from '../../../platform/database/database.js';
import { id as uuid } from '../../../platform/http/common.api.js';
import { HintBus } from '../../../platform/realtime/hint-bus.js';
import type { VerifiedSession } from '../../../platform/realtime/session-verifier.js';
import { AuthError } from './auth-error.js';
import type { ProviderIdentity } from './providers.service.js';

const SEEN = `update auth.identities set email = $3, last_sign_in_at = now(), updated_at = now()
  where provider = $1 and subject = $2 returning user_id`;
const OWNER = 'select id, email_proven from auth.users where email = $1 for update';
const NEW = `insert into auth.identities (id, user_id, provider, subject, email) values ($1, $2, $3, $4, $5)
  on conflict on constraint identities_subject_key do update set email = excluded.email, updated_at = now()
  where auth.identities.user_id = excluded.user_id
  returning id`;
const COUNT = 'select count(*)::int as count from auth.identities where user_id = $1';
/** Without a password, the last provider is the only way to sign in without a mail. */
const IS_LAST_WAY = `select password_hash is null
    and (select count(*) from auth.identities where user_id = u.id and id <> $2) = 0 as is_last_way
  from auth.users u where id = $1 for update`;
const DELETE = 'delete from auth.identities where user_id = $1 and id = $2 returning id';

/** The user of an identity at Google or Apple. */
@Injectable()
export class Identities {
  constructor(
    private readonly database: Database,
    private readonly hints: HintBus,
  ) {}

  /**
   * The user to whom the identity belongs; null if there is none. An account with the same address is linked if the address was
   * confirmed; otherwise somebody else may have made the account and would share it.
   * @throws AuthError 422 `email_exists` for such an account
   */
  async userOf(query: Query, identity: ProviderIdentity): Promise<string | null> {
    const { provider, subject, email } = identity;
    const [known] = await query<{ user_id: string }>(SEEN, [provider, subject, email]);
    if (known) return known.user_id;
    const [owner] = await query<{ id: string; email_proven: boolean }>(OWNER, [email]);
    if (!owner) return null;
    if (!owner.email_proven) {
      throw new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
    }
    await this.link(query, owner.id, identity);
    return owner.id;
  }

  /** @throws AuthError 422 `identity_already_exists` if it belongs to another user */
  async link(query: Query, userId: string, { provider, subject, email }: ProviderIdentity): Promise<void> {
    const [linked] = await query(NEW, [randomUUID(), userId, provider, subject, email]);
    if (!linked) {
      throw new AuthError(422, 'identity_already_exists', 'Identity is already linked to another user');
    }
  }

  /**
   * Removes an identity, but neither that of the e-mail address, which signs in by mail, nor the last one of a user without a
   * password.
   * @throws AuthError 404, 422
   */
  async unlink({ userId }: VerifiedSession, identityId: string): Promise<void> {
    if (!z.safeParse(uuid, identityId).success) {
      throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
    }
    if (identityId.toLowerCase() === userId) {
      const [others] = await this.database.query<{ count: number }>(COUNT, [userId]);
      throw others!.count === 0
        ? lastWay()
        : new AuthError(
            422,
            'email_conflict_identity_not_deletable',
            'Unable to unlink identity due to email conflict',
          );
    }
    await this.database.transact(async (query) => {
      const [user] = await query<{ is_last_way: boolean }>(IS_LAST_WAY, [userId, identityId]);
      const [unlinked] = await query(DELETE, [userId, identityId]);
      if (!unlinked) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
      if (user!.is_last_way) throw lastWay();
    });
    this.hints.personChanged(userId);
  }
}

function lastWay(): AuthError {
  return new AuthError(
    422,
    'single_identity_not_deletable',
    'User must have at least 1 identity after unlinking',
  );
}
