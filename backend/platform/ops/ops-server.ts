import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/env.js';
import { jobsPage } from '../jobs/jobs-page.js';
import { Queues } from '../jobs/queues.js';
import { ErrorTrap } from './error-trap.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

const HTML = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Serves metrics, health and the job queues on an internal port; a worker serves nothing else. */
@Injectable()
export class OpsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly server = createServer((request, response) =>
    this.trap.run('metrics port', () =>
      this.answer(request, response).catch((error: unknown) => {
        response.destroy();
        throw error;
      }),
    ),
  );

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly trap: ErrorTrap,
    private readonly readiness: Readiness,
    private readonly queues: Queues,
  ) {}

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async onApplicationBootstrap(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.config.metricsPort, this.config.metricsHost, resolve);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const [path, search] = (request.url ?? '/').split('?');
    if (path === '/metrics') {
      const metrics = await this.metrics.registry.metrics();
      response.writeHead(200, { 'Content-Type': this.metrics.registry.contentType }).end(metrics);
    } else if (path === '/health/live') {
      sendJson(response, 200, { status: 'ok' });
    } else if (path === '/health/ready') {
      const health = await this.readiness.look();
      sendJson(response, health.status === 'ok' ? 200 : 503, health);
    } else if (path === '/dev/jobs' && method === 'GET' && isNamedByAddress(headers)) {
      response.writeHead(200, HTML).end(jobsPage(await this.queues.look()));
    } else if (path === '/dev/jobs/retry' && method === 'POST' && isNamedByAddress(headers)) {
      if (!isOwnPage(headers)) return void response.writeHead(403).end();
      const { queue = '', id = '' } = Object.fromEntries(new URLSearchParams(search));
      const isRetried = await this.queues.retry(queue, id);
      response.writeHead(isRetried ? 303 : 404, { Location: '/dev/jobs' }).end();
    } else {
      response.writeHead(404).end();
    }
  }
}

/** Refuses another site whose host name was pointed at this machine (DNS rebinding). */
function isNamedByAddress({ host = '' }: IncomingHttpHeaders): boolean {
  return /^(localhost|[\d.]+|\[[\da-f:]+\])(:\d+)?$/i.test(host);
}

function isOwnPage({ origin, host }: IncomingHttpHeaders): boolean {
  return origin === `http://${host}`;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(body));
}
