import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Passwords } from '../secrets/passwords.service.js';
import type { Device } from '../sessions/devices.service.js';
import { SessionTokens } from '../sessions/session-tokens.service.js';
import { USER_COLUMNS, type UserRow } from '../users/auth-user.js';
import { type Owner, Users } from '../users/users.service.js';
import { AuthError } from './auth-error.js';

/**
 * Updates nothing where the password was changed since it was compared. A concurrent change of the password waits for this row
 * lock, and then ends the new session.
 */
const SIGN_IN = `update auth.users set last_sign_in_at = now() where id = $1 and password_hash = $2 returning ${USER_COLUMNS}`;

@Injectable()
export class PasswordGrant {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly users: Users,
    private readonly sessionTokens: SessionTokens,
  ) {}

  /**
   * @throws AuthError 400 `invalid_credentials`, in the same time for known and unknown addresses; 400
   *   `email_not_confirmed` where the password is right
   */
  async exchange(email: string, password: string, device: Device) {
    const owner = await this.users.byEmail(email, device.key);
    const matches = await this.passwords.matches(owner?.password_hash ?? null, password);
    if (!owner || !matches) throw wrongCredentials(owner);
    if (!owner.is_confirmed) throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
    return this.database.transact(async (query) => {
      const [user] = await query<UserRow>(SIGN_IN, [owner.id, owner.password_hash]);
      if (!user) throw wrongCredentials(owner);
      const session = await this.sessionTokens.start(query, user.id, 'password', device);
      return this.sessionTokens.answer(user, session);
    });
  }
}

function wrongCredentials(owner: Owner | undefined): AuthError {
  return new AuthError(400, 'invalid_credentials', 'Invalid login credentials', { userId: owner?.id });
}
