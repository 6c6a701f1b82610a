import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import {
  type DynamicModule,
  type INestApplicationContext,
  Module,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { errorCodes, type FastifyInstance, type FastifyRequest, type FastifyReply } from 'fastify';
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
import { Tracing } from '../ops/tracing.js';
import { PlatformModule } from '../platform.module.js';
import { WorkerModule } from '../projections/worker.module.js';
import { LiveModule } from '../realtime/live-gateway.js';
import { refuseUndeclared, tellChanges, compress } from './answers.js';
import { beginningOf, BODY_LIMIT, hasExcessFields, limitBodies } from './body-limits.js';
import { CSP_REPORTS_PATH } from './csp-reports.js';
import { platformErrors } from './common.api.js';
import { toProblem, type OwnFailures, ownFailuresOf } from './failure.js';
import { problemBody, PROBLEM_TYPE, Problem } from './problem.js';
import { apiHeaders, addSecurityHeaders } from './security-headers.js';
import { HttpModule } from './http.module.js';
import { collectRoutes, type RegisteredRoute } from './openapi.js';
import { ROUTES } from './openapi.controller.js';
import type { BodyMedia } from './calls.api.js';
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

/** What every application is made of; it collects its routes in `routes`. */
function rootOf(
  { modules, clock = new Clock() }: AppOptions,
  config: Config,
  routes: RegisteredRoute[] = [],
): DynamicModule {
  return {
    module: Root,
    imports: [
      {
        module: Given,
        global: true,
        providers: [
          { provide: Config, useValue: config },
          { provide: Clock, useValue: clock },
          { provide: ROUTES, useValue: routes },
        ],
        exports: [Config, Clock, ROUTES],
      },
      OpsModule,
      HttpModule,
      PlatformModule,
      ...modulesOf(config),
      ...modules,
    ],
  };
}

function modulesOf({ roles, environment, smtpUrl }: Config): Type[] {
  const showsMail = environment !== 'production' && smtpUrl === undefined;
  return [
    ...(roles.has('api') ? [LiveModule] : []),
    ...(roles.has('api') && showsMail ? [DevMailModule] : []),
    ...(roles.has('worker') ? [WorkerModule] : []),
  ];
}

/** Starts an application without routes, which costs a fifth less: for workers, and for work that no request asks for. */
export function startWithoutRoutes(options: AppOptions): Promise<INestApplicationContext> {
  const config = options.config ?? readConfig();
  return NestFactory.createApplicationContext(rootOf(options, config), {
    logger: new JsonLogger(config.logLevel),
    abortOnError: false,
  });
}

/** Creates the application that serves requests, without listening: `listen` opens its port. */
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
    rootOf(options, config, routes),
    adapter,
    { logger, bodyParser: false, abortOnError: false },
  );
  app.setGlobalPrefix('api/v1', {
    exclude: [
      'auth/v1/{*path}',
      'pix/v1/{*path}',
      'whatsapp/v1/{*path}',
      'calendario/{*path}',
      'avisos/{*path}',
      'hooks/{*path}',
      'health/{*path}',
      'api/openapi.json',
      CSP_REPORTS_PATH,
      'dev/mail{/*path}',
      ...WRITTEN_PAGES.map((page) => `${page}{/*path}`),
    ],
  });
  const isProduction = config.environment === 'production';
  instance.addHook('preSerialization', tellChanges(app.get(FeatureRegistry)));
  if (!isProduction) instance.addHook('onSend', refuseUndeclared);
  instance.addHook('onSend', compress);
  app.get(Tracing).addTo(instance);
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

/** How long a client that is answered before its whole request arrived has to read the answer, in ms. */
const LINGER_MS = 5_000;
/** Most bytes that are read and discarded during that time. */
const LINGER_BYTES = 8 * 1024 * 1024;

/**
 * If a connection is closed while bytes arrive, it is reset, and the client may not receive the answer. So after a
 * request was refused before it was read completely, only the sending side is closed until the client closes its own
 * (like nginx' `lingering_close`).
 */
function lingerWhereRefusedEarly(instance: FastifyInstance): void {
  instance.addHook('onSend', (request, _reply, payload, done) => {
    const { complete, socket } = request.raw;
    if (!complete) socket.destroySoon = () => linger(socket);
    done(null, payload);
  });
}

function linger(socket: Socket): void {
  socket.end();
  let bytes = 0;
  // Node's parser of requests would resume a paused socket.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) socket.pause();
  });
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

const STATUS_OF: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** Answers URLs that the router cannot decode, which reach no hook or filter. */
function answerBadAddress(siteUrl: string, failures: () => readonly OwnFailures[]) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const own = ownFailuresOf(request.url, failures());
    if (own) {
      void reply.headers(apiHeaders(request.id));
      return own.answer(error, request, reply);
    }
    const body = problemBody(toProblem(error), platformErrors, siteUrl, request.id);
    void reply.headers(apiHeaders(request.id)).status(body.status).type(PROBLEM_TYPE).send(body);
  };
}

/** Answers malformed HTTP, and requests that arrive too slowly or exceed the limits. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const title = STATUS_CODES[status];
  const body = JSON.stringify({ type: 'about:blank', title, status, code: 'validation' });
  const head = `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${body.length}\r\n`;
  socket.end(`${head}Connection: close\r\n\r\n${body}`);
}
