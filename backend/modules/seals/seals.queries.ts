import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import { asPrinted } from '../../platform/typed-code.js';
import { type LogPlace, sealCodeOf, searchedBy } from './seal-code.js';
import type { CheckResult, Integrity, Outcome } from './seals.api.js';

export const ShowIntegrity = defineQuery('ShowIntegrity', async ({ read }): Promise<Integrity> => {
  const [seals, checks, mails] = await Promise.all([
    read(newest({})),
    read(lastChecks({})),
    read(sealMails({})),
  ]);
  const [seal] = seals;
  return {
    lacre: seal ? { dia: seal.day, feito_em: seal.made_at.toISOString() } : null,
    por_email: mails.length > 0,
    verificacoes: checks.map(({ id, requested_at, done_at, result }) => ({
      id,
      pedida_em: requested_at.toISOString(),
      concluida_em: done_at?.toISOString() ?? null,
      resultado: result,
    })),
  };
});

const newest = statement((db) =>
  db.selectFrom('seals').select(['day', 'made_at']).orderBy('day', 'desc').limit(1).compile(),
);

const sealMails = statement((db) => db.selectFrom('seal_mails').select('desde').compile());

const lastChecks = statement((db) =>
  db
    .selectFrom('integrity_checks')
    .select(['id', 'requested_at', 'done_at'])
    .select(sql<CheckResult | null>`result`.as('result'))
    .orderBy('requested_at', 'desc')
    .limit(10)
    .compile(),
);

/** The event that a code names. */
export interface SealedEvent extends LogPlace {
  timezone: string;
  streamId: string;
  type: string;
  recordedAt: Date;
  /** Whether it and the event before still give its hash. */
  isIntact: boolean;
  /** The first sealed day that it is part of; null before that. */
  sealedOn: string | null;
  /** The last check of the tenant's log; null before the first one. */
  check: { at: Date; outcome: Outcome } | null;
}

const FIND = `select tenant_id as "tenantId", timezone, position, stream_id as "streamId", type, recorded_at as "recordedAt", hash,
    intact as "isIntact", sealed_on as "sealedOn" from find_sealed($1, $2, $3, $4)`;

export class FindSealed extends Query<SealedEvent | null> {
  /** `codeOf`: the code of an event, as what carries it shows it. */
  constructor(
    readonly code: string,
    readonly codeOf: (place: LogPlace) => string | Promise<string | null> = sealCodeOf,
  ) {
    super();
  }
}

@QueryHandler(FindSealed)
export class FindSealedHandler implements IQueryHandler<FindSealed> {
  constructor(private readonly database: Database) {}

  async execute({ code, codeOf }: FindSealed): Promise<SealedEvent | null> {
    const searched = searchedBy(code);
    if (!searched) return null;
    const { from, to, position, hash } = searched;
    const events = await this.database.lookUp<Omit<SealedEvent, 'check'>>(FIND, [from, to, position, hash]);
    // The letter in front says what carries it.
    const plain = (typed: string) => asPrinted(typed).slice(1);
    const codes = await Promise.all(events.map(async (event) => plain((await codeOf(event)) ?? '')));
    const found = events[codes.indexOf(plain(code))];
    if (!found) return null;
    const checks = await this.database.read(found.tenantId, lastChecks({}));
    const done = checks.find(({ result }) => result !== null);
    return { ...found, check: done ? { at: done.done_at!, outcome: done.result!.situacao } : null };
  }
}
