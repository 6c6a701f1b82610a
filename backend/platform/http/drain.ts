import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

const DRAIN_BOUND_MS = 10_000;
const GOODBYE_MS = 1_000;

/**
 * Graceful shutdown: the server answers running requests, and those that still arrive on open connections, because a
 * request that is sent while its connection is being closed would be lost. The port is closed first; then every answer
 * carries `Connection: close`; connections that were idle for a second are closed last. Pools and workers are closed
 * afterwards, in `onApplicationShutdown`.
 */
@Injectable()
export class Drain implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  /** Running requests by connection. */
  private readonly requests = new Map<Socket, number>();
  private readonly screens = new Set<Socket>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const instance = this.host.httpAdapter.getInstance<FastifyInstance>();
    instance.addHook('onSend', (_request, reply, payload, done) => {
      if (this.timer) void reply.header('Connection', 'close');
      done(null, payload);
    });
    instance.server.on('connection', (socket: Socket) => {
      this.requests.set(socket, 0);
      socket.once('close', () => this.requests.delete(socket));
    });
    instance.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.count(socket, 1);
      response.once('close', () => this.count(socket, -1));
    });
    instance.server.on('upgrade', (_request: IncomingMessage, socket: Socket) => {
      this.screens.add(socket);
      socket.once('close', () => this.screens.delete(socket));
    });
  }

  /** `signal`: the signal that the process received; without one, idle connections are closed at once. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    if (!server.listening) return;
    this.timer = setTimeout(() => this.destroy([...this.requests.keys()]), DRAIN_BOUND_MS);
    // `net.Server.close`, because `http.Server.close` would also close the idle connections.
    const ended = new Promise<void>((resolve) => Listener.prototype.close.call(server, () => resolve()));
    // Disconnect the sockets, so that open screens connect to another process.
    this.destroy([...this.screens]);
    if (signal) await Promise.race([ended, delay(GOODBYE_MS)]);
    this.destroy([...this.requests].filter(([, count]) => count === 0).map(([socket]) => socket));
    await ended;
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private count(socket: Socket, more: number): void {
    const count = this.requests.get(socket);
    if (count !== undefined) this.requests.set(socket, count + more);
  }

  private destroy(sockets: readonly Socket[]): void {
    for (const socket of sockets) socket.destroy();
  }
}
