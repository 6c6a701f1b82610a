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
 * Lets a server that was told to stop answer what it has begun, and what comes on connections that clients keep: a
 * request that crosses with the end of its connection is lost. So the port is closed first, every answer then asks to
 * close its connection, and connections that nobody used for a second are closed at last. Pools and workers go in
 * `onApplicationShutdown`, after all that.
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

  /** `signal`: the one that the process received; without one, idle connections are closed at once. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    if (!server.listening) return;
    this.timer = setTimeout(() => this.destroy([...this.requests.keys()]), DRAIN_BOUND_MS);
    // `net.Server.close`, because `http.Server.close` also closes connections that are idle at the moment.
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
