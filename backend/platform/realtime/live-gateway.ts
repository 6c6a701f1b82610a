import type { Server as HttpServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnApplicationBootstrap, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Socket, Server } from 'socket.io';
import { Config } from '../config/env.js';
import { Drain } from '../http/drain.js';
import { Problem } from '../http/problem.js';
import { ErrorTrap } from '../ops/error-trap.js';
import { HintBus, memberRoom, studentRoom, studentsRoom, userRoom } from './hint-bus.js';
import { SessionVerifier, type VerifiedSession } from './session-verifier.js';
import { UnsignedSockets } from './unsigned-sockets.js';
import type { Duplex } from 'node:stream';

/** Limits of a screen's traffic, which normally is a token on connect and one byte per ping. */
const MAX_PACKETS = 20;
const MAX_BYTES = 16 * 1024;
const WINDOW_MS = 10_000;

/** The parts of an engine.io connection that are used here. */
interface Connection {
  request: { socket: Duplex };
  on(event: 'packet', listener: () => void): void;
  close(): void;
}

/**
 * Closes a connection that sends more than a screen does. All received bytes are parsed in one turn of the event loop
 * and each packet is answered, so without a limit one connection could block the process.
 */
function endFloods(io: Server): void {
  io.engine.on('connection', (connection: Connection) => {
    const { socket } = connection.request;
    const end = () => {
      // Drop packets that were parsed already.
      connection.close();
      socket.destroy();
    };
    const packets = allowance(MAX_PACKETS, end);
    const bytes = allowance(MAX_BYTES, end);
    connection.on('packet', () => packets(1));
    // Count frames before the parser sees them: control frames and fragments are not packets.
    for (const read of socket.listeners('data') as ((chunk: Buffer) => void)[]) {
      socket.off('data', read);
      socket.on('data', (chunk: Buffer) => bytes(chunk.length) && read.call(socket, chunk));
    }
  });
}

/** Takes an amount from the window's allowance; calls `exceeded` and returns false if nothing is left. */
function allowance(most: number, exceeded: () => void): (amount: number) => boolean {
  let taken = 0;
  let since = performance.now();
  return (amount) => {
    const now = performance.now();
    if (now - since > WINDOW_MS) [taken, since] = [0, now];
    taken += amount;
    if (taken <= most) return true;
    exceeded();
    return false;
  };
}

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

/** What only the api role has for its connections. */
@Module({ providers: [LiveGateway, Drain] })
export class LiveModule {}
