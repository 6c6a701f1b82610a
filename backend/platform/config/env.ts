import { isIP } from 'node:net';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

type Role = 'api' | 'worker';

/** Validated configuration from the environment; nothing else reads `process.env`. */
export class Config {
  readonly environment!: 'development' | 'test' | 'production';
  /** Port of the SPA, the API and the socket; 0 takes any. */
  readonly port!: number;
  readonly host!: string;
  /** Port of metrics and health; 0 takes any. */
  readonly metricsPort!: number;
  /** Host that metrics and health listen on; loopback by default. */
  readonly metricsHost!: string;
  readonly roles!: ReadonlySet<Role>;
  /** Postgres as `rende_app`. */
  readonly databaseUrl!: string;
  /** Postgres as `rende_owner`: migrations and rebuilds only. */
  readonly databaseOwnerUrl!: string | undefined;
  /** Postgres as `rende_projector`; required if `roles` has `worker`. */
  readonly databaseProjectorUrl!: string | undefined;
  /** Redis for queues, sockets and rate limits; without it Postgres is used. */
  readonly redisUrl!: string | undefined;
  /** 32 bytes that wrap the keys of personal data. */
  readonly masterKey!: Buffer;
  /** How many proxies in front of us may write `X-Forwarded-For`. */
  readonly trustProxyHops!: number;
  readonly passwordMinLength!: number;
  /** Origin under which people reach the application, without a slash at its end. */
  readonly siteUrl!: string;
  /** Mail server; without it mails become files in `mailFolder`. */
  readonly smtpUrl!: string | undefined;
  /** Sender of every mail: `Name <address>` or an address. */
  readonly mailFrom!: string;
  readonly mailFolder!: string;
  /** What the mail server names when it hands over a bounce or complaint; without it none is taken. */
  readonly mailHookSecret!: string | undefined;
  /** Where the ids of forgotten people are listed, outside the database. */
  readonly forgottenFile!: string;
  /** Where the daily seals of the log lie, outside the database. */
  readonly sealsFolder!: string;
  /** S3-compatible bucket with a second copy of the seals; undefined where none is configured. */
  readonly sealsBucket!: { url: string; region: string; key: string; secret: string } | undefined;
  /** Whether a new account may be used before its address is confirmed. */
  readonly mailerAutoconfirm!: boolean;
  /** Addresses outside of `siteUrl` that links of mails and providers may lead to, compared exactly. */
  readonly redirectUrls!: readonly string[];
  /** Sign-in with Google; undefined where it is not configured. */
  readonly google!: { issuer: string; clientId: string; clientSecret: string } | undefined;
  /** Sign-in with Apple, whose secret is made with a key. */
  readonly apple!:
    | { issuer: string; clientId: string; teamId: string; keyId: string; privateKey: string }
    | undefined;
  /** Certificate and key that sign PDF files, in PEM; without them a self-signed one is made. */
  readonly pdfCertificate!: { certificate: string; privateKey: string } | undefined;
  /** Server of time stamps (RFC 3161) for the files that are signed, and for the seals. */
  readonly timestampUrl!: string | undefined;
  /** The language model that the advisor asks, by OpenAI's API; without it the built-in advisor answers alone. */
  readonly advisor!: { url: string; key: string | undefined; model: string } | undefined;
  /** Origin on this machine that calendars may be fetched from, for tests; never in production. */
  readonly calendarTestOrigin!: string | undefined;
  /** Private VAPID key that identifies this instance to push services (base64url); made at the first start without it. */
  readonly vapidPrivateKey!: string | undefined;
  /** Origin on this machine that notifications may be pushed to, for tests; never in production. */
  readonly pushTestOrigin!: string | undefined;
  /** Origin on this machine that a payment provider may have, for tests; never in production. */
  readonly pixTestOrigin!: string | undefined;
  /** The base address of Meta's Graph API, with its version, and its origin where that is on this machine, for tests. */
  readonly whatsAppUrl!: string;
  readonly whatsAppTestOrigin!: string | undefined;
  /** Public look-ups of postal codes; undefined where it is switched off. */
  readonly viaCepUrl!: string | null;
  readonly brasilApiUrl!: string | null;
  /** Where support is had: a page, an e-mail (`mailto:`), or a WhatsApp (`https://wa.me/…`). */
  readonly supportUrl!: string | undefined;
  /** Where traces are sent by OTLP over HTTP, with which headers and as which service's; undefined: nothing is traced. */
  readonly traces!: { url: string; headers: Record<string, string> | undefined; service: string } | undefined;
  readonly logLevel!: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
}

const whole = (min: number, max: number) => {
  const error = `deve ser um número inteiro de ${min} a ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
};

const address = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `deve ser um endereço que começa com ${protocols.map((protocol) => `${protocol}//`).join(' ou ')}`,
    abort: true,
  });

/** A page, an e-mail or a WhatsApp, as an address that a browser opens. */
const support = z.string().transform((typed, { issues, value }) => {
  const given = typed.trim();
  const phone = given.replace(/[\s().-]/g, '');
  if (/^\+\d{8,15}$/.test(phone)) return `https://wa.me/${phone.slice(1)}`;
  const url = /^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(given) ? `mailto:${given}` : given;
  if (/^(https?:\/\/|mailto:[^\s@]+@)/.test(url) && URL.canParse(url)) return url;
  issues.push({
    code: 'custom',
    input: value,
    message:
      'deve ser o endereço de uma página (https://…), um e-mail, ou um WhatsApp como +55 11 98765-4321',
  });
  return z.NEVER;
});

const addresses = z
  .string()
  .transform((list) => list.split(',').map((each) => each.trim()))
  .refine((list) => list.every((each) => URL.canParse(each)), {
    error: 'deve ser uma lista de endereços, separados por vírgulas',
  });

/** A public look-up, which is on unless it is set to `off`. */
const lookUp = (url: string) =>
  z.union([z.literal('off').transform(() => null), address('http:', 'https:')]).default(url);

const safeAddress = address('http:', 'https:').refine(isSafe, {
  error: 'deve começar com https:// (http:// só nesta máquina)',
});

function isSafe(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Restores the line breaks of a PEM that is given in one line with `\n`. */
const privateKey = z
  .string()
  .transform((pem) => pem.replaceAll('\\n', '\n'))
  .refine((pem) => pem.includes('-----BEGIN PRIVATE KEY-----'), {
    error: 'deve ser a chave em PEM que a Apple deu (arquivo .p8)',
  });

const certificate = z
  .string()
  .refine((pem) => pem.includes('-----BEGIN CERTIFICATE-----'), { error: 'deve ser um certificado em PEM' });

const certificateKey = z.string().refine((pem) => /-----BEGIN (EC |RSA )?PRIVATE KEY-----/.test(pem), {
  error: 'deve ser uma chave em PEM',
});

const localOrigin = z
  .string()
  .regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/, 'deve ser http://127.0.0.1 com uma porta');

const sender = z.string().regex(/^([^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, {
  error: 'deve ser um endereço de e-mail, ou Nome <endereço>',
});

/** The base address of OpenAI's API, such as https://example.com/v1. */
const modelServer = address('http:', 'https:').refine(
  (value) => {
    const { username, password, search, hash } = new URL(value);
    return `${username}${password}${search}${hash}` === '';
  },
  { error: 'deve ser um endereço sem usuário, senha, ? ou #' },
);

/** An address in path style, such as https://s3.example.com/bucket. */
const bucket = safeAddress
  .refine(
    (value) => {
      const { username, password, pathname, search, hash } = new URL(value);
      return /^\/[\w.-]+\/?$/.test(pathname) && `${username}${password}${search}${hash}` === '';
    },
    { error: 'deve ser o endereço do servidor com o nome do bucket, como https://s3.example.com/lacres' },
  )
  .transform((value) => value.replace(/\/$/, ''));
const secretKey = z.string().regex(/^[\x21-\x7e]+$/, { error: 'deve ser uma chave sem espaços' });

/** As OpenTelemetry writes them: `name=value,…`, percent-encoded. */
const headers = z.string().transform((list, { issues, value }) => {
  try {
    const pairs = list.split(',').map((pair) => /^([\w-]+)=([^=\s]+)$/.exec(pair)!);
    return Object.fromEntries(pairs.map(([, name, text]) => [name!, decodeURIComponent(text!)]));
  } catch {
    issues.push({ code: 'custom', input: value, message: 'deve ser nome=valor, separados por vírgulas' });
    return z.NEVER;
  }
});

const postgres = address('postgres:', 'postgresql:');

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
];

const environment = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'deve ser development, test ou production')
    .default('production'),
  PORT: whole(0, 65535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  METRICS_PORT: whole(0, 65535).default(9464),
  METRICS_HOST: z
    .string()
    .refine((value) => isIP(value) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value), {
      error: 'deve ser um endereço IP ou o nome de uma máquina',
    })
    .default('127.0.0.1'),
  RENDE_ROLES: z
    .string()
    .regex(/^(api|worker)(,(api|worker))?$/, 'deve ser api, worker ou api,worker')
    .default('api,worker'),
  DATABASE_URL: postgres,
  DATABASE_OWNER_URL: postgres.optional(),
  DATABASE_PROJECTOR_URL: postgres.optional(),
  REDIS_URL: address('redis:', 'rediss:').optional(),
  RENDE_MASTER_KEY: z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'deve ter 32 bytes em base64'),
  TRUST_PROXY_HOPS: whole(0, 32).default(0),
  PASSWORD_MIN_LENGTH: whole(6, 64).default(6),
  SITE_URL: address('http:', 'https:').optional(),
  SMTP_URL: address('smtp:', 'smtps:').optional(),
  MAIL_FROM: sender.optional(),
  MAIL_FOLDER: z.string().default('.rende/mail'),
  MAIL_HOOK_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{24,200}$/, { error: 'deve ter de 24 a 200 caracteres, sem espaços nem acentos' })
    .optional(),
  FORGOTTEN_FILE: z.string().default('.rende/forgotten'),
  SEALS_FOLDER: z.string().default('.rende/seals'),
  SEALS_BUCKET: bucket.optional(),
  SEALS_BUCKET_REGION: z
    .string()
    .regex(/^[a-z\d-]+$/, { error: 'deve ser uma região como us-east-1' })
    .optional(),
  SEALS_BUCKET_KEY: secretKey.optional(),
  SEALS_BUCKET_SECRET: secretKey.optional(),
  MAILER_AUTOCONFIRM: z.enum(['true', 'false'], 'deve ser true ou false').optional(),
  REDIRECT_URLS: addresses.optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: safeAddress.default('https://accounts.google.com'),
  APPLE_CLIENT_ID: z.string().optional(),
  APPLE_TEAM_ID: z.string().optional(),
  APPLE_KEY_ID: z.string().optional(),
  APPLE_PRIVATE_KEY: privateKey.optional(),
  APPLE_ISSUER: safeAddress.default('https://appleid.apple.com'),
  PDF_CERTIFICATE: certificate.optional(),
  PDF_PRIVATE_KEY: certificateKey.optional(),
  TIMESTAMP_URL: address('http:', 'https:').optional(),
  ADVISOR_URL: modelServer.optional(),
  ADVISOR_MODEL: z.string().max(200, { error: 'deve ter até 200 caracteres' }).optional(),
  ADVISOR_API_KEY: secretKey.optional(),
  CALENDAR_TEST_ORIGIN: localOrigin.optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'deve ter 32 bytes em base64url')
    .optional(),
  PUSH_TEST_ORIGIN: localOrigin.optional(),
  PIX_TEST_ORIGIN: z
    .string()
    .regex(/^https?:\/\/127\.0\.0\.1:\d{1,5}$/, 'deve ser http(s)://127.0.0.1 com uma porta')
    .optional(),
  WHATSAPP_URL: safeAddress.default('https://graph.facebook.com/v24.0'),
  WHATSAPP_TEST_ORIGIN: localOrigin.optional(),
  VIACEP_URL: lookUp('https://viacep.com.br/ws'),
  BRASILAPI_URL: lookUp('https://brasilapi.com.br/api/cep/v2'),
  SUPPORT_URL: support.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.optional(),
  OTEL_SERVICE_NAME: z.string().default('rende'),
  // The next two are read by OpenTelemetry.
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `deve ser ${SAMPLERS.join(', ')}`).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, { error: 'deve ser um número de 0 a 1' })
    .optional(),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'deve ser trace, debug, info, warn, error, fatal ou silent',
    )
    .default('info'),
});

/** Variables that must be set together or not at all. */
const GROUPS = [
  ['PDF_CERTIFICATE', 'PDF_PRIVATE_KEY'],
  ['SEALS_BUCKET', 'SEALS_BUCKET_REGION', 'SEALS_BUCKET_KEY', 'SEALS_BUCKET_SECRET'],
  ['ADVISOR_URL', 'ADVISOR_MODEL'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
];

/** Lists every missing or invalid variable, one per line, without values. */
export class ConfigError extends Error {
  constructor(readonly lines: readonly string[]) {
    super(['Configuração inválida:', ...lines.map((line) => `  ${line}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

/** Variables that may be given as files by `NAME_FILE`: secrets, which others could read in the environment. */
function readFiles(given: NodeJS.ProcessEnv): string[] {
  const problems: string[] = [];
  for (const name of Object.keys(environment.shape)) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) problems.push(`${name} e ${name}_FILE foram definidas: use uma delas`);
    else {
      try {
        const value = readFileSync(file, 'utf8').trim();
        if (value !== '') given[name] = value;
      } catch (error) {
        problems.push(`${name}_FILE não pôde ser lida (${(error as NodeJS.ErrnoException).code})`);
      }
    }
  }
  return problems;
}

/**
 * Reads the configuration from the environment; an empty variable or file counts as absent, and `NAME_FILE` names the
 * file that holds the value of `NAME`.
 * @throws ConfigError naming all variables that are missing or wrong
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const problems = readFiles(given);
  const result = environment.safeParse(given);
  for (const { path, message } of result.error?.issues ?? []) {
    const name = String(path[0]);
    if (given[name] !== undefined) problems.push(`${name} ${message}`);
    else if (!problems.some((line) => line.startsWith(`${name}_FILE `)))
      problems.push(`${name} não foi definida`);
  }
  const isWorker = (given.RENDE_ROLES ?? 'worker').includes('worker');
  if (isWorker && given.DATABASE_PROJECTOR_URL === undefined) {
    problems.push('DATABASE_PROJECTOR_URL não foi definida, e o papel worker precisa dela');
  }
  for (const group of GROUPS) {
    const missing = group.filter((name) => given[name] === undefined);
    if (missing.length === group.length) continue;
    problems.push(...missing.map((name) => `${name} não foi definida, e ${group[0]} pede as outras`));
  }
  if (given.ADVISOR_API_KEY !== undefined && given.ADVISOR_URL === undefined)
    problems.push('ADVISOR_URL não foi definida, e ADVISOR_API_KEY pede ela');
  // NODE_ENV is production unless it says otherwise.
  for (const name of ['CALENDAR_TEST_ORIGIN', 'PUSH_TEST_ORIGIN', 'PIX_TEST_ORIGIN', 'WHATSAPP_TEST_ORIGIN'])
    if (given[name] !== undefined && (given.NODE_ENV ?? 'production') === 'production')
      problems.push(`${name} só existe para testes, e não em produção`);
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const values = result.data;
  const siteUrl = (values.SITE_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, '');
  return Object.assign(new Config(), {
    environment: values.NODE_ENV,
    port: values.PORT,
    host: values.HOST,
    metricsPort: values.METRICS_PORT,
    metricsHost: values.METRICS_HOST,
    roles: new Set(values.RENDE_ROLES.split(',') as Role[]),
    databaseUrl: values.DATABASE_URL,
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    databaseProjectorUrl: values.DATABASE_PROJECTOR_URL,
    redisUrl: values.REDIS_URL,
    masterKey: Buffer.from(values.RENDE_MASTER_KEY, 'base64'),
    trustProxyHops: values.TRUST_PROXY_HOPS,
    passwordMinLength: values.PASSWORD_MIN_LENGTH,
    siteUrl,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? `Rende <nao-responda@${new URL(siteUrl).hostname}>`,
    mailFolder: values.MAIL_FOLDER,
    mailHookSecret: values.MAIL_HOOK_SECRET,
    forgottenFile: values.FORGOTTEN_FILE,
    sealsFolder: values.SEALS_FOLDER,
    sealsBucket: values.SEALS_BUCKET
      ? {
          url: values.SEALS_BUCKET,
          region: values.SEALS_BUCKET_REGION!,
          key: values.SEALS_BUCKET_KEY!,
          secret: values.SEALS_BUCKET_SECRET!,
        }
      : undefined,
    mailerAutoconfirm: (values.MAILER_AUTOCONFIRM ?? String(values.SMTP_URL === undefined)) === 'true',
    redirectUrls: values.REDIRECT_URLS ?? [],
    google: values.GOOGLE_CLIENT_ID
      ? {
          issuer: values.GOOGLE_ISSUER,
          clientId: values.GOOGLE_CLIENT_ID,
          clientSecret: values.GOOGLE_CLIENT_SECRET!,
        }
      : undefined,
    apple: values.APPLE_CLIENT_ID
      ? {
          issuer: values.APPLE_ISSUER,
          clientId: values.APPLE_CLIENT_ID,
          teamId: values.APPLE_TEAM_ID!,
          keyId: values.APPLE_KEY_ID!,
          privateKey: values.APPLE_PRIVATE_KEY!,
        }
      : undefined,
    pdfCertificate: values.PDF_CERTIFICATE
      ? { certificate: values.PDF_CERTIFICATE, privateKey: values.PDF_PRIVATE_KEY! }
      : undefined,
    timestampUrl: values.TIMESTAMP_URL,
    advisor: values.ADVISOR_URL
      ? {
          url: values.ADVISOR_URL.replace(/\/+$/, ''),
          key: values.ADVISOR_API_KEY,
          model: values.ADVISOR_MODEL!,
        }
      : undefined,
    calendarTestOrigin: values.CALENDAR_TEST_ORIGIN,
    vapidPrivateKey: values.VAPID_PRIVATE_KEY,
    pushTestOrigin: values.PUSH_TEST_ORIGIN,
    pixTestOrigin: values.PIX_TEST_ORIGIN,
    whatsAppUrl: values.WHATSAPP_URL.replace(/\/+$/, ''),
    whatsAppTestOrigin: values.WHATSAPP_TEST_ORIGIN,
    viaCepUrl: values.VIACEP_URL,
    brasilApiUrl: values.BRASILAPI_URL,
    supportUrl: values.SUPPORT_URL,
    traces: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          url: `${values.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, '')}/v1/traces`,
          headers: values.OTEL_EXPORTER_OTLP_HEADERS,
          service: values.OTEL_SERVICE_NAME,
        }
      : undefined,
    logLevel: values.LOG_LEVEL,
  } satisfies Config);
}
