import type pg from 'pg';
import type { Config } from '../../../platform/config/env.js';
import type { OwnerCommand } from '../../../platform/features.js';
import { Secrets } from '../secrets/secrets.service.js';
import { newSigningKey } from './signing-key.js';

/** Delay before a new key signs, so that it is known by then: other services cache `/.well-known/jwks.json` for ten minutes. */
const NEW_KEY = `insert into auth.signing_keys (kid, public_jwk, private_key, active_from)
  values ($1, $2, $3, now() + interval '15 minutes') returning active_from`;

/**
 * If the revoked key was the signing one, another key replaces it at once, so that there is always one. Retired keys are deleted
 * too: without their successors they would become valid again.
 */
const REVOKE = `with revoked as (
      delete from auth.signing_keys k where kid = $1 or exists (select from auth.signing_keys where kid = $1)
        and exists (select from auth.signing_keys n
          where n.active_from > k.active_from and n.active_from < now() - interval '65 minutes')
      returning kid, active_from),
    made as (
      insert into auth.signing_keys (kid, public_jwk, private_key) select $2, $3, $4 from revoked
      where kid = $1
        and active_from = (select max(active_from) from auth.signing_keys where active_from <= now()) returning kid)
  select (select kid from made) as next from revoked where kid = $1`;

/**
 * Creates a key that signs access tokens 15 minutes later. `--revoke <kid>`: revokes a leaked key; from the commit on, every
 * process refuses tokens that it signed.
 */
export const rotateKeys: OwnerCommand = async (config, client, [option, revoked]) => {
  if (option !== undefined) {
    if (option !== '--revoke' || !revoked) throw new Error('Use npm run keys:rotate -- --revoke <kid>.');
    return revoke(config, client, revoked);
  }
  const { kid, public_jwk, private_key } = await newSigningKey(new Secrets(config));
  const { rows } = await client.query<{ active_from: Date }>(NEW_KEY, [kid, public_jwk, private_key]);
  return `Chave ${kid}: assina a partir de ${rows[0]!.active_from.toISOString()}.`;
};

async function revoke(config: Config, client: pg.ClientBase, revoked: string): Promise<string> {
  const { kid, public_jwk, private_key } = await newSigningKey(new Secrets(config));
  const { rows } = await client.query<{ next: string | null }>(REVOKE, [
    revoked,
    kid,
    public_jwk,
    private_key,
  ]);
  if (!rows[0]) throw new Error(`Não há chave ${revoked}.`);
  const { next } = rows[0];
  return `Chave ${revoked}: revogada.${next ? ` Chave ${next}: assina a partir de agora.` : ''}`;
}
