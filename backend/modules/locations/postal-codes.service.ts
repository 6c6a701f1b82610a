import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { Problem } from '../../platform/http/problem.js';
import { PostalCodeProviders, UnknownPostalCode } from './postal-code-providers.service.js';
import type { PostalAddress } from './postal-codes.api.js';

/** Time limit of one look-up in ms, since a user is waiting. */
const MOST_MS = 1500;
/** After this time in ms without an answer, the next provider is asked too. */
const PATIENCE_MS = 500;

const KEPT = `select cep, logradouro, bairro, cidade, uf from postal_codes
  where cep = $1 and looked_up_at > now() - interval '180 days'`;
const KEEP = `insert into postal_codes (cep, logradouro, bairro, cidade, uf) values ($1, $2, $3, $4, $5)
  on conflict (cep) do update set logradouro = excluded.logradouro, bairro = excluded.bairro,
    cidade = excluded.cidade, uf = excluded.uf, looked_up_at = now()`;

/** Looks up a postal code's address: in the database, else at public providers, the next one if one fails or is slow. */
@Injectable()
export class PostalCodes {
  constructor(
    private readonly providers: PostalCodeProviders,
    private readonly database: Database,
  ) {}

  /** @throws Problem 404 where the code does not exist or no provider is configured, 503 where none answers in time */
  async find(cep: string): Promise<PostalAddress> {
    const [kept] = await this.database.query<PostalAddress>(KEPT, [cep]);
    if (kept) return kept;
    const found = await this.ask(cep);
    const { logradouro, bairro, cidade, uf } = found;
    await this.database.query(KEEP, [cep, logradouro, bairro, cidade, uf]);
    return found;
  }

  private async ask(cep: string): Promise<PostalAddress> {
    if (this.providers.all.length === 0) throw new Problem('postal_codes.switched_off');
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, AbortSignal.timeout(MOST_MS)]);
    const asked: Promise<PostalAddress>[] = [];
    for (const provider of this.providers.all) {
      const before = asked.at(-1);
      asked.push(before ? afterFailing(before, () => provider(cep, signal)) : provider(cep, signal));
    }
    try {
      return await Promise.any(asked);
    } catch (error) {
      const isUnknown = (error as AggregateError).errors.some((each) => each instanceof UnknownPostalCode);
      if (isUnknown) throw new Problem('postal_codes.not_found');
      throw new Problem('postal_codes.unavailable', { retryAfter: 10, cause: error });
    } finally {
      done.abort();
    }
  }
}

export const FindPostalCode = defineQuery(
  'FindPostalCode',
  { postalCodes: PostalCodes },
  (_reading, { postalCodes }, cep: string) => postalCodes.find(cep),
);

/** Asks the next provider when the previous one has failed or is slow. */
async function afterFailing<Answer>(before: Promise<Answer>, next: () => Promise<Answer>): Promise<Answer> {
  const answered = before.then(
    () => true,
    () => false,
  );
  return (await Promise.race([answered, delay(PATIENCE_MS, false, { ref: false })])) ? before : next();
}
