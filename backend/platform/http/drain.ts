import type { Socket } from 'node:net';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

const DRAIN_BOUND_MS = 10_000;

/**
 * Bounds how long a stopping server waits for the requests it has begun to answer. Nest closes the server after the
 * `beforeApplicationShutdown` hooks, and pools and workers in `onApplicationShutdown`, so those requests still have them.
 */
@Injectable()
export class Drain implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly sockets = new Set<Socket>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const instance = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Else the connection of a request that was under way would stay open, idle, until the bound.
    instance.addHook('onSend', (_request, reply, payload, done) => {
      if (this.timer) void reply.header('Connection', 'close');
      done(null, payload);
    });
    instance.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  beforeApplicationShutdown(): void {
    this.timer = setTimeout(() => this.sockets.forEach((socket) => socket.destroy()), DRAIN_BOUND_MS);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }
}
