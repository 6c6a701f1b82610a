import type { Server as HttpServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnApplicationBootstrap, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Socket } from 'socket.io';
import { Config } from '../config/env.js';
import { Problem } from '../http/problem.js';
import { ErrorTrap } from '../ops/error-trap.js';
import { HintBus, memberRoom, studentRoom, studentsRoom, userRoom } from './hint-bus.js';
import { SessionVerifier, type VerifiedSession } from './session-verifier.js';
import { endFloods } from './socket-floods.js';
import { UnsignedSockets } from './unsigned-sockets.js';

/** Shortest and longest pause between two checks of a socket's session. */
const SHORTEST_MS = 100;
const LONGEST_MS = 10 * 60_000;

/** Sockets of open screens. Rooms are derived from the verified session; clients cannot choose them. */
@Injectable()
class LiveGateway implements OnApplicationBootstrap {
  constructor(
    private readonly hints: HintBus,
    private readonly sessions: SessionVerifier,
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: Config,
    private readonly trap: ErrorTrap,
  ) {}

  onApplicationBootstrap(): void {
    const { io } = this.hints;
    const server = this.adapterHost.httpAdapter.getHttpServer() as HttpServer;
    // Before socket.io handles the request: an upgrade that it refuses has no error listener for a while, and a
    // connection that is reset meanwhile would end the process.
    server.on('upgrade', (_request, socket, sentAhead) => {
      socket.on('error', () => socket.destroy());
      // A client sends nothing before its handshake is answered; packets that it sent earlier would not be counted.
      if (sentAhead.length > 0) socket.destroy();
    });
    const unsigned = new UnsignedSockets(this.config.trustProxyHops);
    io.attach(server, {
      allowRequest: (request, allow) => {
        const { origin, host } = request.headers;
        const isOwn = origin === undefined || origin === this.config.siteUrl || isSameHost(origin, host);
        allow(null, isOwn && unsigned.enter(request));
      },
    });
    unsigned.attach(io);
    endFloods(io);
    io.use((socket, next) => {
      this.admit(socket).then(
        () => next(),
        (error: unknown) => {
          if (!(error instanceof Problem)) this.trap.failed('socket', 'socket not admitted', error);
          next(new Error('unauthenticated'));
        },
      );
    });
    io.on(
      'connection',
      this.trap.listener('socket', (socket: Socket) => this.catchUp(socket)),
    );
  }

  /**
   * Sends the hints since the page's first read, which began `reading` milliseconds before it asked to connect; null if
   * they are not all known.
   */
  private catchUp(socket: Socket): void {
    const { reading } = socket.handshake.auth as { reading?: unknown };
    if (typeof reading !== 'number' || !(reading >= 0)) return;
    const hints = this.hints.recent.within(reading, socket.rooms);
    if (hints === null || hints.length > 0) socket.emit('missed', hints);
  }

  /** Adds a socket to the rooms of its session. */
  private async admit(socket: Socket): Promise<void> {
    const { token } = socket.handshake.auth as { token?: unknown };
    if (typeof token !== 'string') throw new Problem('unauthenticated');
    const session = await this.sessions.verify(token);
    await socket.join([`session:${session.sessionId}`, ...roomsOf(session.userId, session)]);
    this.trap.run('socket', () => this.endInTime(socket, session));
  }

  /**
   * Sessions expire, and the message that a session or membership has ended may be lost between processes. So each
   * socket's session is checked again when it would expire, and periodically before that.
   */
  private async endInTime(socket: Socket, session: VerifiedSession): Promise<void> {
    // Checked again later if the database does not answer.
    const standing = await this.sessions.standing(session).catch(() => ({ ...session, endsIn: LONGEST_MS }));
    const isAsBefore =
      standing && isDeepStrictEqual(roomsOf(session.userId, standing), roomsOf(session.userId, session));
    if (!isAsBefore) {
      socket.disconnect(true);
      return;
    }
    const timer = setTimeout(
      this.trap.listener('timer', () => {
        if (socket.connected) return this.endInTime(socket, session);
        return undefined;
      }),
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
      ...(studentId === null
        ? [`tenant:${tenantId}`]
        : [studentRoom(tenantId, studentId), studentsRoom(tenantId)]),
    ]),
  ];
}

function isSameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** The gateway of the sockets, part of the api role. */
@Module({ providers: [LiveGateway] })
export class LiveModule {}
