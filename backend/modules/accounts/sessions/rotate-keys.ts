import type { OwnerCommand } from '../../../platform/features.js';
import { Secrets } from '../secrets/secrets.service.js';
import { newSigningKey } from './signing-key.js';

/** Known to everybody by the time it signs: other services keep `/.well-known/jwks.json` for ten minutes. */
const NEW_KEY = `insert into auth.signing_keys (kid, public_jwk, private_key, active_from)
  values ($1, $2, $3, now() + interval '15 minutes') returning active_from`;

/** Makes the key that signs access tokens from a quarter of an hour on. */
export const rotateKeys: OwnerCommand = async (config, client) => {
  const { kid, public_jwk, private_key } = await newSigningKey(new Secrets(config));
  const { rows } = await client.query<{ active_from: Date }>(NEW_KEY, [kid, public_jwk, private_key]);
  return `Chave ${kid}: assina a partir de ${rows[0]!.active_from.toISOString()}.`;
};
