import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/pools.js';
import type { UserRow } from './auth-user.js';

const BY_ID = 'select * from auth.users where id = $1';
const BY_EMAIL = 'select * from auth.users where email = $1';

/** The people who can sign in. */
@Injectable()
export class Users {
  constructor(private readonly database: Database) {}

  /** @throws where there is no such user: ids come from sessions, which have one */
  async byId(id: string): Promise<UserRow> {
    const { rows } = await this.database.pool.query<UserRow>(prepared(BY_ID, [id]));
    if (!rows[0]) throw new Error(`there is no user ${id}`);
    return rows[0];
  }

  /** `email` in lower case. */
  async byEmail(email: string): Promise<(UserRow & { password_hash: string }) | undefined> {
    const { rows } = await this.database.pool.query<UserRow & { password_hash: string }>(
      prepared(BY_EMAIL, [email]),
    );
    return rows[0];
  }
}
