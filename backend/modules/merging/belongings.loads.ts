import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { Aggregate, DomainEvent } from '../../platform/event-store/aggregate.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { type ChargeEvent, charge } from '../charges/charge.js';
import { type SignatureRequestEvent, signatureRequest } from '../contracts/signature-request.js';
import { type TransactionEvent, transaction } from '../finance/transaction.js';
import { type VisitEvent, visit } from '../public-link/visit.js';
import { type SeatQueueEvent, seatQueue } from '../classes/seat-queue.js';
import { type WaitingEvent, waiting } from '../public-link/waiting.js';
import { type ReceiptEvent, receipt } from '../receipts/receipt.js';
import { type SeriesEvent, series } from '../series/series.js';
import { type SessionEvent, session } from '../sessions/session.js';
import { type StudentNoteEvent, studentNote } from '../student-notes/student-note.js';
import type { Reassigned } from '../students/reassigned.js';

/** A kind of thing that is one student's at a time. */
interface Kind {
  aggregate: { name: string };
  /** What it is called where it stands in the way. */
  words: string;
  studentOf(tx: CommandTransaction, id: string): Promise<string | null>;
  /** Gives it to another student. */
  reassign(tx: CommandTransaction, id: string, about: Reassigned): Promise<void>;
}

function kind<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  words: string,
  event: (state: NonNullable<State>, about: Reassigned) => Event,
): Kind {
  return {
    aggregate,
    words,
    async studentOf(tx, id) {
      const state = await tx.load(aggregate, id);
      return (state as { student_id?: string | null } | null | undefined)?.student_id ?? null;
    },
    async reassign(tx, id, about) {
      const state = await tx.load(aggregate, id);
      if (state) tx.append(aggregate, id, [event(state, about)]);
    },
  };
}

const kinds: readonly Kind[] = [
  kind(
    session,
    'uma sessão',
    ({ session_id, inicio, fim, location_id, confirmado }, about): SessionEvent => ({
      type: 'SessionReassigned',
      data: { session_id, inicio, fim, location_id, confirmado, ...about },
    }),
  ),
  kind(series, 'um horário fixo', ({ series_id }, about): SeriesEvent => ({
    type: 'SeriesReassigned',
    data: { series_id, ...about },
  })),
  kind(charge, 'uma cobrança', ({ charge_id }, about): ChargeEvent => ({
    type: 'ChargeReassigned',
    data: { charge_id, ...about },
  })),
  kind(transaction, 'um recebimento', ({ transaction_id, estorno_id }, about): TransactionEvent => ({
    type: 'TransactionReassigned',
    data: { transaction_id, estorno_id, ...about },
  })),
  kind(receipt, 'um recibo', ({ transaction_id }, about): ReceiptEvent => ({
    type: 'ReceiptReassigned',
    data: { transaction_id, ...about },
  })),
  kind(signatureRequest, 'um contrato', (state, about): SignatureRequestEvent => {
    const { request_id, contract_id } = state as Extract<typeof state, { request_id: string }>;
    return { type: 'ContractReassigned', data: { request_id, contract_id, ...about } };
  }),
  kind(studentNote, 'uma anotação', ({ note_id }, about): StudentNoteEvent => ({
    type: 'StudentNoteReassigned',
    data: { note_id, ...about },
  })),
  kind(visit, 'uma reserva do link público', ({ visit_id, session_id }, about): VisitEvent => ({
    type: 'VisitReassigned',
    data: { visit_id, session_id, ...about },
  })),
];

/** Events that say whose something is. */
const NAMING = {
  SessionBooked: [1, 2],
  SessionChanged: [1],
  SessionReassigned: [1],
  SeriesStarted: [1],
  SeriesReassigned: [1],
  ChargeIssued: [1, 2],
  ChargeReassigned: [1],
  TransactionRecorded: [1, 2],
  TransactionReassigned: [1],
  ReceiptIssued: [1, 2, 3],
  ReceiptReassigned: [1],
  ContractSent: [1, 2],
  ContractReassigned: [1],
  StudentNoteWritten: [1],
  StudentNoteReassigned: [1],
  VisitorBooked: [1],
  VisitAssigned: [1],
  VisitReassigned: [1],
  WaitlistJoined: [1],
  SeatAwaited: [1],
} satisfies Partial<Record<NamingEvent['type'], number[]>>;

type NamingEvent =
  | SessionEvent
  | SeriesEvent
  | ChargeEvent
  | TransactionEvent
  | ReceiptEvent
  | SignatureRequestEvent
  | StudentNoteEvent
  | VisitEvent
  | WaitingEvent
  | SeatQueueEvent;

const namingStudent = defineLookUp<{ stream_id: string }, [studentId: string]>(
  `select distinct stream_id from ${storedEvents(NAMING)} e where tenant_id = $1 and data->>'student_id' = $2`,
);

/** One thing of a student. */
export interface Belonging {
  kind: Kind;
  id: string;
}

const byStream = (stream: string): Belonging | undefined => {
  const [name, id] = stream.split(':') as [string, string];
  const found = kinds.find(({ aggregate }) => aggregate.name === name);
  return found && { kind: found, id };
};

/** All that is a student's by the log, so also what is not in the read tables yet, and whether the student waits for a time. */
export async function belongingsOf(
  tx: CommandTransaction,
  studentId: string,
): Promise<{ things: Belonging[]; isWaiting: boolean }> {
  const streams = (await tx.lookUp(namingStudent, studentId)).map(({ stream_id }) => stream_id);
  const named = streams.flatMap((stream) => byStream(stream) ?? []);
  const students = await Promise.all(named.map(({ kind: its, id }) => its.studentOf(tx, id)));
  const idsIn = ({ name }: { name: string }) =>
    streams.filter((stream) => stream.startsWith(`${name}:`)).map((stream) => stream.slice(name.length + 1));
  const [times, queues] = await Promise.all([
    Promise.all(idsIn(waiting).map((id) => tx.load(waiting, id))),
    Promise.all(idsIn(seatQueue).map((id) => tx.load(seatQueue, id))),
  ]);
  return {
    things: named.filter((_, at) => students[at] === studentId),
    isWaiting:
      times.some((state) => state?.status === 'esperando') ||
      queues.some(({ fila }) => fila.some((one) => one.student_id === studentId)),
  };
}

export const idsOf = (things: readonly Belonging[], { name }: { name: string }): string[] =>
  things.filter(({ kind: { aggregate } }) => aggregate.name === name).map(({ id }) => id);

const REASSIGNED = storedEvents({
  SessionReassigned: [1],
  SeriesReassigned: [1],
  ChargeReassigned: [1],
  TransactionReassigned: [1],
  ReceiptReassigned: [1],
  ContractReassigned: [1],
  StudentNoteReassigned: [1],
  VisitReassigned: [1],
});

const reassignedBy = defineLookUp<{ stream_id: string }, [mergeId: string]>(
  `select stream_id from ${REASSIGNED} e where tenant_id = $1 and data->>'juncao_id' = $2 order by position`,
);

/** What a merging has given to the student who stays. */
export async function reassignedIn(tx: CommandTransaction, mergeId: string): Promise<Belonging[]> {
  const rows = await tx.lookUp(reassignedBy, mergeId);
  return rows.map(({ stream_id }) => byStream(stream_id)!);
}

/** They say that something was sent, seen or made, or a fixed hour was continued: whoever it is of, they stay true. */
const STAYS_TRUE = [
  'ChargeSent',
  'ChargeReminded',
  'ReceiptSent',
  'SeriesExtended',
  'SessionBooked',
  'SessionGrouped',
  // By another merging, which was undone: else it could not be undone.
  'SessionReassigned',
  'SeriesReassigned',
  'ChargeReassigned',
  'TransactionReassigned',
  'ReceiptReassigned',
  'ContractReassigned',
  'StudentNoteReassigned',
  'VisitReassigned',
  'ContractOpened',
  'ContractReminded',
  'ContractCopyMade',
  'ContractDownloaded',
];

/** The streams of these that have changed since the merging (`$2`) was recorded, which is the last event of its command. */
const changedAfter = defineLookUp<{ stream_id: string }, [mergeId: string, streams: readonly string[]]>(
  `select distinct stream_id from events e where tenant_id = $1 and stream_id = any($3::text[])
    and type <> all(array[${STAYS_TRUE.map((type) => `'${type}'`).join(', ')}])
    and position > (select min(position) from events where tenant_id = $1 and stream_id = 'student-merge:' || $2::text)`,
);

export async function changedSinceMerge(
  tx: CommandTransaction,
  mergeId: string,
  streams: readonly string[],
): Promise<Set<string>> {
  return new Set((await tx.lookUp(changedAfter, mergeId, streams)).map(({ stream_id }) => stream_id));
}

export const streamOf = ({ kind: { aggregate }, id }: Belonging): string => `${aggregate.name}:${id}`;

/** Sessions that a fixed hour has booked since: by then for the student who stays. */
export async function bookedSince(
  tx: CommandTransaction,
  things: readonly Belonging[],
  studentId: string,
): Promise<Belonging[]> {
  const all = await Promise.all(idsOf(things, series).map((id) => tx.load(series, id)));
  const known = new Set(idsOf(things, session));
  const fresh = all.flatMap((one) => one?.sessoes ?? []).filter(({ session_id }) => !known.has(session_id));
  const found = fresh.map(({ session_id: id }) => byStream(`session:${id}`)!);
  const students = await Promise.all(found.map(({ kind: its, id }) => its.studentOf(tx, id)));
  return found.filter((_, at) => students[at] === studentId);
}
