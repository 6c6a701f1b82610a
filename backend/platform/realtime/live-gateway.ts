import type { Server as HttpServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Socket } from 'socket.io';
import { Config } from '../config/env.js';
import { HintBus, memberRoom, studentRoom, userRoom } from './hint-bus.js';
import { SessionVerifier, type VerifiedSession } from './session-verifier.js';

/** How soon and how late a socket's session is looked at again. */
const SHORTEST_MS = 100;
const LONGEST_MS = 10 * 60_000;

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
        (session) => {
          void socket.join([`session:${session.sessionId}`, ...roomsOf(session.userId, session)]);
          void this.endInTime(socket, session);
          next();
        },
        () => next(new Error('unauthenticated')),
      );
    });
  }

  /**
   * A session ends by itself too, and a word that one has ended, or that a membership has, may be lost between processes:
   * so each socket's session is looked at again when it would end, and now and then before.
   */
  private async endInTime(socket: Socket, session: VerifiedSession): Promise<void> {
    // Where the database cannot be asked, it is asked again.
    const standing = await this.sessions.standing(session).catch(() => ({ ...session, endsIn: LONGEST_MS }));
    const isAsBefore =
      standing && isDeepStrictEqual(roomsOf(session.userId, standing), roomsOf(session.userId, session));
    if (!isAsBefore) {
      socket.disconnect(true);
      return;
    }
    const timer = setTimeout(
      () => {
        if (socket.connected) void this.endInTime(socket, session);
      },
      Math.min(Math.max(standing.endsIn, SHORTEST_MS), LONGEST_MS),
    );
    timer.unref();
  }
}

function roomsOf(userId: string, { memberships }: Pick<VerifiedSession, 'memberships'>): string[] {
  return [
    userRoom(userId),
    ...memberships.flatMap(({ tenantId, studentId }) => [
      memberRoom(tenantId, userId),
      studentId === null ? `tenant:${tenantId}` : studentRoom(tenantId, studentId),
    ]),
  ];
}

function isSameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
