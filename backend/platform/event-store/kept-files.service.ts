import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../database/database.js';
import { type Blanks, statement } from '../database/statement.js';
import { open, PersonalData, seal } from './personal-data.js';

const NEW =
  'insert into kept_files (tenant_id, id, person_id, key_id, sha256, sealed) values ($1, $2, $3, $4, $5, $6)';

/** A file about a person, such as a contract's signed copy. */
export interface KeptFile {
  tenantId: string;
  id: string;
  personId: string;
  /** The key that encrypts it: the person's, or that of a retention. */
  keyId: string;
  sha256: Buffer;
}

/** A file as it is stored, with its key; null once the key was destroyed. */
export interface SealedFile {
  tenant_id: string;
  id: string;
  key_id: string;
  sealed: Buffer;
  wrapped_key: Buffer | null;
}

export const contextOf = (tenantId: string, id: string) => `${tenantId}/kept-files/${id}`;

/** Null where the key was destroyed. */
export function openKeptFile(
  personalData: PersonalData,
  { tenant_id, id, key_id, sealed, wrapped_key }: SealedFile,
): Buffer | null {
  if (!wrapped_key) return null;
  return open(personalData.unwrap(wrapped_key, tenant_id, key_id), sealed, contextOf(tenant_id, id));
}

/** Immutable files, encrypted with the key of their person, so that forgetting the person makes them unreadable too. */
@Injectable()
export class KeptFiles {
  constructor(
    private readonly database: Database,
    private readonly personalData: PersonalData,
  ) {}

  /** The effect that stores the file in the transaction of the command; null where the key was destroyed. */
  async seal(
    { tenantId, id, personId, keyId, sha256 }: KeptFile,
    content: Buffer,
  ): Promise<((query: Query) => Promise<unknown>) | null> {
    const [row] = await this.database.read(tenantId, keyOf({ keyId }));
    if (!row?.wrapped_key) return null;
    const key = this.personalData.unwrap(row.wrapped_key, tenantId, keyId);
    const sealed = seal(key, content, contextOf(tenantId, id));
    return (query) => query(NEW, [tenantId, id, personId, keyId, sha256, sealed]);
  }

  /** Null if there is none, or if its key was destroyed. */
  async open(tenantId: string, id: string): Promise<Buffer | null> {
    const [row] = await this.database.read(tenantId, fileOf({ id }));
    return row ? openKeptFile(this.personalData, row) : null;
  }
}

const keyOf = statement((db, { keyId }: Blanks<{ keyId: string }>) =>
  db.selectFrom('person_keys').select('wrapped_key').where('person_id', '=', keyId).compile(),
);

const fileOf = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('kept_files as f')
    .innerJoin('person_keys as k', (join) =>
      join.onRef('k.tenant_id', '=', 'f.tenant_id').onRef('k.person_id', '=', 'f.key_id'),
    )
    .select(['f.tenant_id', 'f.id', 'f.key_id', 'f.sealed', 'k.wrapped_key'])
    .where('f.id', '=', id)
    .compile(),
);
