import * as z from 'zod/mini';
import { type ErrorTable, id, instant, rule, text } from '../../platform/http/common.api.js';

export const pixProviderErrors = {
  'pix_provider.none': { status: 404, title: 'Nenhum provedor conectado' },
  'pix_provider.address_refused': { status: 422, title: 'Use um endereço https:// público' },
  'pix_provider.wrong_certificate': {
    status: 422,
    title: 'O certificado e a chave privada não formam um par',
  },
} as const satisfies ErrorTable;

const MOST_PEM = 20_000;

/** Whether it can be an address of an API; where it leads is looked at before anything is sent. */
function isAddress(typed: string): boolean {
  if (!URL.canParse(typed)) return false;
  const { protocol, username, password, search, hash } = new URL(typed);
  return ['https:', 'http:'].includes(protocol) && `${username}${password}${search}${hash}` === '';
}
const address = text(1, 500, 'Informe o endereço').check(
  z.refine(isAddress, { error: 'Informe um endereço que comece com https://', abort: true }),
);
/** As an HTTP header takes it. */
const credential = (missing: string) =>
  text(1, 500, missing).check(z.regex(/^[\x21-\x7e]+$/, 'Cole sem espaços nem acentos'));
const pem = (label: RegExp, error: string) =>
  z.nullable(z.string().check(z.trim(), z.maxLength(MOST_PEM), z.regex(label, error)));

/** How to reach the trainer's account at a provider that speaks the API Pix, and to be let in (OAuth 2, client credentials). */
export const newPixProvider = z
  .strictObject({
    url_api: address,
    url_token: address,
    client_id: credential('Informe o Client ID'),
    client_secret: credential('Informe o Client Secret'),
    /** For providers that ask for one (mTLS). */
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

/** Of what was given to connect nothing is ever shown again but the host. */
export const pixProvider = z.object({
  /** Null where none is connected. */
  conexao: z.nullable(
    z.object({
      id,
      servidor: z.string(),
      desde: instant,
      com_certificado: z.boolean(),
      /** When it last answered or failed; null before the first time. */
      testado_em: z.nullable(instant),
      /** Why the last call failed; null where it did not. */
      falha: z.nullable(z.string()),
      /** Open charges whose code the provider has made. */
      codigos: z.int(),
      /** Open charges whose code the provider could not make, or change. */
      falharam: z.int(),
    }),
  ),
});
export type PixProviderShown = z.infer<typeof pixProvider>;
