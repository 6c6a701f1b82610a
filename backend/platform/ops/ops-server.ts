import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/env.js';
import { ErrorTrap } from './error-trap.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

/** Metrics and health on a port of their own, which the public does not reach; with the worker role it is the only one. */
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
    if (request.url === '/metrics') {
      const metrics = await this.metrics.registry.metrics();
      response.writeHead(200, { 'Content-Type': this.metrics.registry.contentType }).end(metrics);
    } else if (request.url === '/health/live') {
      sendJson(response, 200, { status: 'ok' });
    } else if (request.url === '/health/ready') {
      const health = await this.readiness.look();
      sendJson(response, health.status === 'ok' ? 200 : 503, health);
    } else {
      response.writeHead(404).end();
    }
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(body));
}
