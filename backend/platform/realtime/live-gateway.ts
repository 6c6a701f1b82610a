import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server as HttpServer } from 'node:http';
import { Config } from '../config/env.js';
import { HintBus, memberRoom } from './hint-bus.js';
import { SessionVerifier } from './session-verifier.js';

/** Sockets of open screens. Rooms follow from the verified session; a client cannot choose them. */
@Injectable()
export class LiveGateway implements OnApplicationBootstrap {
  constructor(
    private readonly hints: HintBus,
    private readonly sessions: SessionVerifier,
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { io } = this.hints;
    io.attach(this.adapterHost.httpAdapter.getHttpServer() as HttpServer, {
      allowRequest: (request, allow) => {
        const { origin, host } = request.headers;
        allow(null, origin === undefined || origin === this.config.siteUrl || isSameHost(origin, host));
      },
    });
    io.use((socket, next) => {
      this.sessions.verify(String((socket.handshake.auth as { token?: unknown }).token)).then(
        ({ sessionId, userId, memberships }) => {
          const rooms = memberships.flatMap(({ tenantId, role }) => [
            memberRoom(tenantId, userId),
            ...(role === 'personal' ? [`tenant:${tenantId}`] : []),
          ]);
          void socket.join([`session:${sessionId}`, ...rooms]);
          next();
        },
        () => next(new Error('unauthenticated')),
      );
    });
  }
}

function isSameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
