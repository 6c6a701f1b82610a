import * as z from 'zod/mini';
import { put, get, remove, post } from '../../platform/http/calls.api.js';
import { created, type ErrorTable, id, instant, rule, text } from '../../platform/http/common.api.js';

export const pixProviderErrors = {
  'pix_provider.none': { status: 404, title: 'Nenhum provedor conectado' },
  'pix_provider.address_refused': { status: 422, title: 'Use um endereço https:// público' },
  'pix_provider.wrong_certificate': {
    status: 422,
    title: 'O certificado e a chave privada não formam um par',
  },
} as const satisfies ErrorTable;

const MOST_PEM = 20_000;

/** Whether the text can be an API's address; the host is checked before each request. */
function isAddress(typed: string): boolean {
  if (!URL.canParse(typed)) return false;
  const { protocol, username, password, search, hash } = new URL(typed);
  return ['https:', 'http:'].includes(protocol) && `${username}${password}${search}${hash}` === '';
}
const address = text(1, 500, 'Informe o endereço').check(
  z.refine(isAddress, { error: 'Informe um endereço que comece com https://', abort: true }),
);
/** A text that is valid in an HTTP header. */
const credential = (missing: string) =>
  text(1, 500, missing).check(z.regex(/^[\x21-\x7e]+$/, 'Cole sem espaços nem acentos'));
const pem = (label: RegExp, error: string) =>
  z.nullable(z.string().check(z.trim(), z.maxLength(MOST_PEM), z.regex(label, error)));

/** Addresses and credentials (OAuth 2, client credentials) of the trainer's account at a provider with the API Pix. */
export const newPixProvider = z
  .strictObject({
    url_api: address,
    url_token: address,
    client_id: credential('Informe o Client ID'),
    client_secret: credential('Informe o Client Secret'),
    /** Client certificate, for providers that require one (mTLS). */
    certificado: pem(/^-----BEGIN CERTIFICATE-----/, 'Cole o certificado em PEM'),
    chave_privada: pem(/^-----BEGIN (EC |RSA )?PRIVATE KEY-----/, 'Cole a chave privada em PEM, sem senha'),
  })
  .check(
    rule(
      ({ certificado, chave_privada }) => (certificado === null) === (chave_privada === null),
      'Informe o certificado e a chave privada, ou nenhum dos dois',
      ['chave_privada'],
    ),
  );
export type NewPixProvider = z.infer<typeof newPixProvider>;

/** The connection; of its settings, only the host is shown. */
export const pixProvider = z.object({
  /** Null if no provider is connected. */
  conexao: z.nullable(
    z.object({
      id,
      servidor: z.string(),
      desde: instant,
      com_certificado: z.boolean(),
      /** Time of the last call; null before the first one. */
      testado_em: z.nullable(instant),
      /** Why the last call failed; null if it succeeded. */
      falha: z.nullable(z.string()),
      /** Number of open charges with a code from the provider. */
      codigos: z.int(),
      /** Number of open charges whose code could not be created or changed. */
      falharam: z.int(),
    }),
  ),
});
export type PixProviderShown = z.infer<typeof pixProvider>;

/** Limits requests to the provider's server. */
const CHECKS = { name: 'pix-provider-checks', points: 20, seconds: 600 };

export const pixProviderApi = {
  show: get('/settings/pix/provider', {
    summary: 'Mostra o provedor do recebimento automático',
    answer: pixProvider,
  }),
  disconnect: remove('/settings/pix/provider', { summary: 'Desconecta o provedor', answer: created }),
  reconnect: post('/settings/pix/provider/restore', {
    summary: 'Conecta de novo o provedor que foi desconectado',
    answer: created,
    limit: CHECKS,
  }),
};

export const pixProviderCalls = {
  connect: put('/settings/pix/provider', {
    summary: 'Conecta um provedor da API Pix',
    body: newPixProvider,
    answer: created,
    limit: CHECKS,
  }),
  test: post('/settings/pix/provider/test', {
    summary: 'Testa a conexão com o provedor',
    answer: created,
    limit: CHECKS,
  }),
};
