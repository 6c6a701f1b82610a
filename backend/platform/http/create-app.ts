import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { type DynamicModule, Module, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { Clock } from '../clock.js';
import { Config, readConfig } from '../config/env.js';
import { FeatureRegistry } from '../features.js';
import { Queues } from '../jobs/queues.js';
import { addAccessLog } from '../ops/access-log.js';
import { ErrorTrap } from '../ops/error-trap.js';
import { JsonLogger } from '../ops/logger.js';
import { DevMailModule } from '../mail/dev-mail.controller.js';
import { Metrics } from '../ops/metrics.js';
import { OpsModule } from '../ops/ops.module.js';
import { PlatformModule } from '../platform.module.js';
import { WorkerModule } from '../projections/worker.module.js';
import { LiveModule } from '../realtime/live-gateway.js';
import { refuseUndeclared, tellChanges } from './answers.js';
import { beginningOf, BODY_LIMIT, hasExcessFields, limitBodies } from './body-limits.js';
import { compress } from './compress.js';
import { CSP_REPORTS_PATH } from './csp-reports.js';
import { answerBadAddress, answerBrokenRequest } from './edge-errors.js';
import { HttpModule } from './http.module.js';
import { lingerWhereRefusedEarly } from './linger.js';
import { collectRoutes } from './openapi.js';
import { ROUTES } from './openapi.controller.js';
import { Problem } from './problem.js';
import type { BodyMedia } from './calls.api.js';
import { addSecurityHeaders } from './security-headers.js';
import { serveSpa } from './spa.js';
import { WRITTEN_PAGES } from './token-pages.api.js';

export interface AppOptions {
  /** The modules of the application, without the platform. */
  modules: (Type | DynamicModule)[];
  /** Read from the environment unless given. */
  config?: Config;
  clock?: Clock;
  /** Folder of the built SPA. */
  frontend?: string;
}

class Given {}

/** Not global: its hook runs after those of all other modules. */
@Module({})
class Root implements OnApplicationBootstrap {
  constructor(private readonly queues: Queues) {}

  onApplicationBootstrap(): void {
    this.queues.startWorkers();
  }
}

function modulesOf({ roles, environment, smtpUrl }: Config): Type[] {
  const showsMail = environment !== 'production' && smtpUrl === undefined;
  return [
    ...(roles.has('api') ? [LiveModule] : []),
    ...(roles.has('api') && showsMail ? [DevMailModule] : []),
    ...(roles.has('worker') ? [WorkerModule] : []),
  ];
}

/** Creates the application without listening: `listen` opens its port, a worker only needs `init`. */
export async function createApp(options: AppOptions): Promise<NestFastifyApplication> {
  const config = options.config ?? readConfig();
  const isSecure = config.siteUrl.startsWith('https:');
  const logger = new JsonLogger(config.logLevel);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    trustProxy: (_address: string, hop: number) => hop < config.trustProxyHops,
    genReqId: (request: { headers: IncomingHttpHeaders }) => requestId(request.headers['x-request-id']),
    frameworkErrors: answerBadAddress(config.siteUrl, () => app.get(FeatureRegistry).all.failures),
    clientErrorHandler: answerBrokenRequest,
    // Slow clients: the whole request must arrive within a minute, including its headers (a busy server reads late,
    // even if they arrived in time), and no connection may be silent for long.
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 60_000, connectionsCheckingInterval: 5000 },
    // While draining, the server still answers requests on open connections and asks clients to close them.
    return503OnClosing: false,
  });
  const instance = adapter.getInstance<FastifyInstance>();
  const routes = collectRoutes(instance);
  limitBodies(instance);
  addSecurityHeaders(instance, isSecure);
  lingerWhereRefusedEarly(instance);
  readBodies(instance);
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(
    {
      module: Root,
      imports: [
        {
          module: Given,
          global: true,
          providers: [
            { provide: Config, useValue: config },
            { provide: Clock, useValue: options.clock ?? new Clock() },
            { provide: ROUTES, useValue: routes },
          ],
          exports: [Config, Clock, ROUTES],
        },
        ...[OpsModule, HttpModule, PlatformModule, ...modulesOf(config), ...options.modules],
      ],
    },
    adapter,
    { logger, bodyParser: false, abortOnError: false },
  );
  app.setGlobalPrefix('api/v1', {
    exclude: [
      ...[
        'auth/v1/{*path}',
        'pix/v1/{*path}',
        'calendario/{*path}',
        'avisos/{*path}',
        'hooks/{*path}',
        'health/{*path}',
        'api/openapi.json',
        CSP_REPORTS_PATH,
      ],
      'dev/mail{/*path}',
      ...WRITTEN_PAGES.map((page) => `${page}{/*path}`),
    ],
  });
  const isProduction = config.environment === 'production';
  instance.addHook('preSerialization', tellChanges(app.get(FeatureRegistry)));
  if (!isProduction) instance.addHook('onSend', refuseUndeclared);
  instance.addHook('onSend', compress);
  addAccessLog(instance, logger.pino, app.get(Metrics), app.get(ErrorTrap));
  await serveSpa(instance, options.frontend ?? resolve('dist/frontend'), config);
  return app;
}

/**
 * Keeps bodies as bytes until the caller is authorised (see RequestGuard), and refuses media types that a route does
 * not accept.
 */
function readBodies(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  const refuseOther = (request: FastifyRequest, media: BodyMedia) => {
    const { takes = ['application/json'] } = request.routeOptions.config.route ?? {};
    if (!takes.includes(media)) throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(media);
  };
  const take = (media: BodyMedia, read: (body: Buffer, contentType: string) => Buffer | Promise<Buffer>) =>
    instance.addContentTypeParser<Buffer>(
      media,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) => {
        refuseOther(request, media);
        return read(body, request.headers['content-type'] ?? media);
      },
    );
  take('application/json', (body) => body);
  take('application/reports+json', (body) => body);
  take('application/x-www-form-urlencoded', (body) => {
    if (hasExcessFields(body)) throw new Problem('validation');
    return fieldsOf([...new URLSearchParams(body.toString())]);
  });
  instance.addContentTypeParser('message/rfc822', async (request: FastifyRequest, mail: Readable) => {
    refuseOther(request, 'message/rfc822');
    // A character for each byte.
    return Buffer.from(JSON.stringify((await beginningOf(mail)).toString('latin1')));
  });
  take('multipart/form-data', async (body, contentType) => {
    const form = new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
    const fields = await form.catch(() => {
      throw new Problem('validation');
    });
    return fieldsOf([...fields]);
  });
}

/** The fields of a form as JSON. @throws Problem 400 if a field occurs twice */
function fieldsOf(fields: [string, unknown][]): Buffer {
  if (new Set(fields.map(([name]) => name)).size < fields.length) throw new Problem('validation');
  return Buffer.from(JSON.stringify(Object.fromEntries(fields)));
}

/** The caller's request id where it is safe to log, otherwise a new one. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}
