import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { USER_COLUMNS, type UserRow } from './auth-user.js';

const BY_ID = `select ${USER_COLUMNS} from auth.users where id = $1`;
/** The user with this address, or else a pending sign-up for it: the one of this browser, or the newest. */
const BY_EMAIL = `select id, password_hash, true as is_confirmed, false as is_own from auth.users where email = $1
  union all
  (select id, password_hash, false, coalesce(device = $2, false) as is_own
   from auth.pending_sign_ups where email = $1 and created_at > now() - interval '1 day'
   order by is_own desc, created_at desc limit 1)`;

/** The account or pending sign-up of an address. */
export interface Owner {
  id: string;
  password_hash: string | null;
  /** False for a pending sign-up. */
  is_confirmed: boolean;
  /** Whether a pending sign-up was made in the requesting browser. */
  is_own: boolean;
}

/** The users who can sign in. */
@Injectable()
export class Users {
  constructor(private readonly database: Database) {}

  /** @throws if there is no such user, which cannot happen with an id from a session */
  async byId(
    id: string,
    query: Query = (text, values) => this.database.lookUp(text, values),
  ): Promise<UserRow> {
    const [user] = await query<UserRow>(BY_ID, [id]);
    if (!user) throw new Error(`there is no user ${id}`);
    return user;
  }

  /** `email` in lower case; `device` as its fingerprint. */
  async byEmail(email: string, device: Buffer | null): Promise<Owner | undefined> {
    const [owner] = await this.database.query<Owner>(BY_EMAIL, [email, device]);
    return owner;
  }
}
