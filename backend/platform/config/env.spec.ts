import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from './env.js';

const complete = {
  DATABASE_URL: 'postgres://rende_app:segredo@localhost/rende',
  DATABASE_PROJECTOR_URL: 'postgres://rende_projector:segredo@localhost/rende',
  RENDE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
};

function linesOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('has defaults for optional variables', () => {
    const config = readConfig({ ...complete, REDIS_URL: '' });
    expect(config).toMatchObject({
      environment: 'production',
      metricsHost: '127.0.0.1',
      port: 3000,
      metricsPort: 9464,
      redisUrl: undefined,
      siteUrl: 'http://localhost:3000',
      trustProxyHops: 0,
      passwordMinLength: 6,
    });
    expect([...config.roles]).toEqual(['api', 'worker']);
    expect(config.masterKey).toHaveLength(32);
  });

  it.each([
    ['ajuda@rende.example', 'mailto:ajuda@rende.example'],
    ['mailto:ajuda@rende.example?subject=Oi', 'mailto:ajuda@rende.example?subject=Oi'],
    ['+55 (11) 98765-4321', 'https://wa.me/5511987654321'],
    ['https://wa.me/5511987654321', 'https://wa.me/5511987654321'],
  ])('takes %s for support', (given, url) => {
    expect(readConfig({ ...complete, SUPPORT_URL: given }).supportUrl).toBe(url);
  });

  it.each(['ajuda', 'javascript:alert(1)', 'mailto:', '11 98765-4321'])('refuses %s for support', (given) => {
    expect(linesOf({ ...complete, SUPPORT_URL: given })).toEqual([
      expect.stringMatching(/^SUPPORT_URL deve ser o endereço de uma página/),
    ]);
  });

  it('looks up postal codes unless that is switched off', () => {
    expect(readConfig(complete)).toMatchObject({
      viaCepUrl: 'https://viacep.com.br/ws',
      brasilApiUrl: 'https://brasilapi.com.br/api/cep/v2',
    });
    expect(readConfig({ ...complete, VIACEP_URL: 'off', BRASILAPI_URL: 'off' })).toMatchObject({
      viaCepUrl: null,
      brasilApiUrl: null,
    });
  });

  it('names everything that is missing or wrong at once', () => {
    const lines = linesOf({
      PORT: '70000',
      RENDE_ROLES: 'api,cron',
      SITE_URL: 'ftp://rende',
      LOG_LEVEL: 'alto',
      SMTP_URL: 'mail.example',
      METRICS_HOST: '0.0.0.0:9464',
      MAIL_FROM: 'Rende',
      MAIL_HOOK_SECRET: 'curto',
      MAILER_AUTOCONFIRM: 'yes',
      REDIRECT_URLS: 'https://app.example, app.example',
    });
    expect(lines.map((line) => line.split(' ', 1)[0]).sort()).toEqual([
      'DATABASE_URL',
      'LOG_LEVEL',
      'MAILER_AUTOCONFIRM',
      'MAIL_FROM',
      'MAIL_HOOK_SECRET',
      'METRICS_HOST',
      'PORT',
      'REDIRECT_URLS',
      'RENDE_MASTER_KEY',
      'RENDE_ROLES',
      'SITE_URL',
      'SMTP_URL',
    ]);
  });

  it('requires confirmed addresses if there is a mail server, by default', () => {
    const confirms = (env: NodeJS.ProcessEnv) => !readConfig({ ...complete, ...env }).mailerAutoconfirm;
    const SMTP_URL = 'smtp://mail.example:587';
    expect([confirms({}), confirms({ SMTP_URL })]).toEqual([false, true]);
    expect([
      confirms({ MAILER_AUTOCONFIRM: 'false' }),
      confirms({ SMTP_URL, MAILER_AUTOCONFIRM: 'true' }),
    ]).toEqual([true, false]);
  });

  it('requires all settings of a provider or none, and TLS unless it is on this machine', () => {
    const google = { GOOGLE_CLIENT_ID: 'rende', GOOGLE_CLIENT_SECRET: 'segredo' };
    expect(readConfig(complete).google).toBeUndefined();
    expect(readConfig({ ...complete, ...google }).google).toEqual({
      issuer: 'https://accounts.google.com',
      clientId: 'rende',
      clientSecret: 'segredo',
    });
    expect(linesOf({ ...complete, GOOGLE_CLIENT_SECRET: 'segredo' })).toHaveLength(1);
    expect(linesOf({ ...complete, APPLE_CLIENT_ID: 'rende' })).toHaveLength(3);
    const issuers = ['http://accounts.example', 'http://127.0.0.1:4000', 'https://accounts.example', 'none'];
    const problems = issuers.map(
      (issuer) => linesOf({ ...complete, ...google, GOOGLE_ISSUER: issuer }).length,
    );
    expect(problems).toEqual([1, 0, 0, 1]);
  });

  it('requires address, region, key and secret of a bucket for the seals or none of them, without repeating the secret', () => {
    const bucket = {
      SEALS_BUCKET: 'https://s3.example.com/lacres/',
      SEALS_BUCKET_REGION: 'us-east-1',
      SEALS_BUCKET_KEY: 'AKID',
      SEALS_BUCKET_SECRET: 'segredo/do+bucket',
    };
    expect(readConfig(complete).sealsBucket).toBeUndefined();
    expect(readConfig({ ...complete, ...bucket }).sealsBucket).toEqual({
      url: 'https://s3.example.com/lacres',
      region: 'us-east-1',
      key: 'AKID',
      secret: 'segredo/do+bucket',
    });
    expect(linesOf({ ...complete, SEALS_BUCKET: bucket.SEALS_BUCKET })).toHaveLength(3);
    for (const SEALS_BUCKET of [
      'https://s3.example.com',
      'https://s3.example.com/a/b',
      'http://s3.example.com/lacres',
      'https://eu:senha@s3.example.com/lacres',
      'https://s3.example.com/lacres?x=1',
      's3://lacres',
    ])
      expect(linesOf({ ...complete, ...bucket, SEALS_BUCKET })).toHaveLength(1);
    const wrong = linesOf({ ...complete, ...bucket, SEALS_BUCKET_SECRET: 'segredo com espaço' });
    expect([wrong.length, wrong.join().includes('segredo')]).toEqual([1, false]);
  });

  it('requires address and name of a language model or neither; its key is optional', () => {
    const model = { ADVISOR_URL: 'https://ia.example/v1/', ADVISOR_MODEL: 'pequeno' };
    expect(readConfig(complete).advisor).toBeUndefined();
    expect(readConfig({ ...complete, ...model }).advisor).toEqual({
      url: 'https://ia.example/v1',
      model: 'pequeno',
      key: undefined,
    });
    expect(readConfig({ ...complete, ...model, ADVISOR_API_KEY: 'sk-1' }).advisor?.key).toBe('sk-1');
    expect(linesOf({ ...complete, ADVISOR_URL: model.ADVISOR_URL })).toHaveLength(1);
    expect(linesOf({ ...complete, ADVISOR_MODEL: 'pequeno' })).toHaveLength(1);
    expect(linesOf({ ...complete, ADVISOR_API_KEY: 'sk-1' })).toHaveLength(1);
    for (const ADVISOR_URL of [
      'ftp://ia.example',
      'ia.example',
      'https://eu:senha@ia.example',
      'https://a.b/?k=1',
    ])
      expect(linesOf({ ...complete, ...model, ADVISOR_URL })).toHaveLength(1);
    expect(linesOf({ ...complete, ...model, ADVISOR_API_KEY: 'duas palavras' })).toHaveLength(1);
  });

  it('reads values from files, and names files that cannot be read or repeat a variable', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rende-env-'));
    const RENDE_MASTER_KEY_FILE = path.join(folder, 'key');
    writeFileSync(RENDE_MASTER_KEY_FILE, `${complete.RENDE_MASTER_KEY}\n`);
    const { RENDE_MASTER_KEY, ...rest } = complete;
    expect(readConfig({ ...rest, RENDE_MASTER_KEY_FILE }).masterKey.toString('base64')).toBe(
      RENDE_MASTER_KEY,
    );
    expect(linesOf({ ...complete, RENDE_MASTER_KEY_FILE })).toEqual([
      'RENDE_MASTER_KEY e RENDE_MASTER_KEY_FILE foram definidas: use uma delas',
    ]);
    expect(linesOf({ ...rest, RENDE_MASTER_KEY_FILE: path.join(folder, 'none') })).toEqual([
      'RENDE_MASTER_KEY_FILE não pôde ser lida (ENOENT)',
    ]);
    writeFileSync(RENDE_MASTER_KEY_FILE, 'chave-curta');
    expect(linesOf({ ...rest, RENDE_MASTER_KEY_FILE })).toEqual([
      'RENDE_MASTER_KEY deve ter 32 bytes em base64',
    ]);
    writeFileSync(RENDE_MASTER_KEY_FILE, '\n');
    expect(linesOf({ ...rest, RENDE_MASTER_KEY_FILE })).toEqual(['RENDE_MASTER_KEY não foi definida']);
    expect(readConfig({ ...complete, SMTP_URL_FILE: RENDE_MASTER_KEY_FILE }).smtpUrl).toBeUndefined();
    rmSync(folder, { recursive: true });
  });

  it('does not repeat values, which may be secrets', () => {
    const secret = 'mysql://root:senha-do-banco@localhost/rende';
    const lines = linesOf({ ...complete, DATABASE_URL: secret, RENDE_MASTER_KEY: 'chave-curta' });
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toMatch(/senha-do-banco|chave-curta/);
  });

  it.each([
    ['worker', 1],
    ['api', 0],
  ])('asks for the address of the projector with the role %s: %s', (roles, missing) => {
    const { DATABASE_PROJECTOR_URL: _, ...rest } = complete;
    expect(linesOf({ ...rest, RENDE_ROLES: roles })).toHaveLength(missing);
  });

  it('sends traces where that is configured', () => {
    const traced = { ...complete, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
    expect(readConfig(complete).traces).toBeUndefined();
    expect(readConfig({ ...traced, OTEL_EXPORTER_OTLP_HEADERS: 'key=a%3Db,tenant=1' }).traces).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: { key: 'a=b', tenant: '1' },
      service: 'rende',
    });
    for (const wrong of [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      { OTEL_EXPORTER_OTLP_HEADERS: 'key' },
      { OTEL_EXPORTER_OTLP_HEADERS: 'key=%' },
      { OTEL_TRACES_SAMPLER: 'sometimes' },
      { OTEL_TRACES_SAMPLER_ARG: '1.5' },
    ])
      expect(linesOf({ ...traced, ...wrong })).toEqual([
        expect.stringMatching(new RegExp(`^${Object.keys(wrong)[0]} deve`)),
      ]);
  });
});
