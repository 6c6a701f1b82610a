import * as z from 'zod/mini';
import { get, post, put } from '../../platform/http/calls.api.js';
import { created } from '../../platform/http/common.api.js';

/** Bytes in base64url: an uncompressed point of P-256, and 16 random ones. */
const publicKey = z.string().check(z.regex(/^B[\w-]{86}$/, 'Chave inválida'));
const secret = z.string().check(z.regex(/^[\w-]{22}$/, 'Chave inválida'));
const endpoint = z.string().check(
  z.maxLength(1000),
  z.refine((given) => URL.canParse(given) && new URL(given).username === '', 'Endereço inválido'),
);

/** A browser's subscription: the address at its push service, and the keys to encrypt messages (RFC 8291). */
export const pushSubscription = z.strictObject({ endpoint, p256dh: publicKey, auth: secret });
export type PushSubscriptionBody = z.infer<typeof pushSubscription>;

export const pushRemoval = z.strictObject({ endpoint });
export type PushRemoval = z.infer<typeof pushRemoval>;

/** `chave`: the public key of this instance for push services (RFC 8292). */
export const pushKey = z.object({ chave: z.string() });
export type PushKey = z.infer<typeof pushKey>;

const DEVICES = { name: 'push-devices', points: 30, seconds: 600, byPerson: true } as const;

export const pushApi = {
  key: get('/account/push', {
    summary: 'Mostra a chave com que um navegador assina as notificações',
    signedIn: true,
    answer: pushKey,
  }),
  keep: put('/account/push', {
    summary: 'Passa a notificar neste navegador',
    signedIn: true,
    body: pushSubscription,
    answer: created,
    limit: DEVICES,
  }),
  remove: post('/account/push/remove', {
    summary: 'Deixa de notificar neste navegador',
    signedIn: true,
    body: pushRemoval,
    answer: created,
    limit: DEVICES,
  }),
};
