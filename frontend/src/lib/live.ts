import { io } from 'socket.io-client';
import { accessToken, renewToken } from './auth.js';
import { notePosition, type Place, readingFor } from './tenant.js';

/** Sent by the server after a change: the topic and the log position, without data. */
export interface Hint {
  /** Tenant of the position; null for the user's own account. */
  readonly tenantId: string | null;
  readonly topic: string;
  readonly position: number;
  /** The student whom it concerns, where it is for that student's pages. */
  readonly studentId?: string;
}

export interface LiveHandlers {
  onHint: (hint: Hint) => void;
  /** The same of the user's other places: another student's, or another trainer's. */
  onHintElsewhere: (hint: Hint) => void;
  /** Connected (again): hints may have been missed. */
  onConnect: () => void;
  /** What changed between the page's first reads and its first connection; null: anything. */
  onMissed: (topics: readonly string[] | null) => void;
  /** Not connected (any more), or not yet. */
  onDisconnect: () => void;
}

/** Delay before a refused socket reconnects with a new token. */
const REVIVAL_MS = 5000;

/** Listens to a place's changes until the returned function is called. */
export function listen(
  { tenantId, studentId }: Place,
  { onHint, onHintElsewhere, onConnect, onMissed, onDisconnect }: LiveHandlers,
): () => void {
  let stopped = false;
  let isFirst = true;
  let given: string | null = null;

  const socket = io({
    transports: ['websocket'],
    auth: (give) => {
      void accessToken()
        .catch(() => null)
        .then((token) => {
          given = token;
          give({ token, ...(isFirst && { reading: readingFor() }) });
        });
    },
  });
  // socket.io does not reconnect after a refusal by the server, so reconnect with a new token.
  const revive = () => {
    if (socket.active) return;
    // Also where the token cannot be renewed now: only without a session there is nothing to wait for.
    void renewToken(given)
      .then(
        (token) => token !== null,
        () => true,
      )
      .then((isSignedIn) => isSignedIn && setTimeout(() => !stopped && socket.connect(), REVIVAL_MS));
  };
  socket.on('connect', () => {
    isFirst = false;
    onConnect();
  });
  for (const event of ['connect_error', 'disconnect'] as const) {
    socket.on(event, () => {
      onDisconnect();
      revive();
    });
  }
  // A user who is trainer here and student elsewhere gets hints of both tenants; one who is several students, of each.
  const isOurs = (hint: Hint) =>
    hint.tenantId === null ||
    (hint.tenantId === tenantId && (hint.studentId === undefined || hint.studentId === studentId));
  socket.on('hint', (hint: Hint) => {
    if (!isOurs(hint)) {
      onHintElsewhere(hint);
      return;
    }
    notePosition(tenantId, hint.position);
    onHint(hint);
  });
  socket.on('missed', (hints: Hint[] | null) => {
    const ours = hints?.filter(isOurs);
    for (const { position } of ours ?? []) notePosition(tenantId, position);
    onMissed(ours?.map(({ topic }) => topic) ?? null);
  });

  return () => {
    stopped = true;
    socket.off().disconnect();
  };
}
