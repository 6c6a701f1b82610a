import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { membersOf } from '../agenda/session.loads.js';
import { loadBusy } from '../agenda/session-times.loads.js';
import { classOf } from '../classes/classes.loads.js';
import { isInTime } from '../classes/open-class.js';
import { decideWaitEnd, seatQueue, seatsFor } from '../classes/seat-queue.js';
import { publicLink } from '../public-link/public-link.js';
import { decideBook, existingSession, occupies, session, single } from '../sessions/session.js';
import { activeStudent, student } from '../students/student.js';
import { loadStanding } from './booking.commands.js';
import { refusePaused } from './own-session.loads.js';
import { decideDone, sessionRequest } from './session-request.js';
import { refuseObstacle, shownUntil, studentBooking } from './student-booking.js';
import type { NewSeat } from './student-booking.api.js';

/** Enough for any class. */
const MOST_WAITING = 50;

/** The hour of a class that the student may enter or wait for, and how many of its seats are theirs to take. */
async function loadHour(tx: CommandTransaction, grupo_id: string, inicio: string) {
  const student_id = tx.context.studentId!;
  const { tenantId } = tx.context;
  const [who, link, settings, members, queue] = await Promise.all([
    tx.load(student, student_id),
    tx.load(publicLink, tenantId),
    tx.load(studentBooking, tenantId),
    membersOf(tx, { grupo_id }),
    tx.load(seatQueue, grupo_id),
    refusePaused(tx, inicio),
  ]);
  activeStudent(who);
  const open = await classOf(tx, members);
  const present = members.filter((one) => occupies(one) && one.inicio === inicio);
  const [first] = present;
  const isShown = new Date(inicio) < shownUntil(settings, tx.now);
  if (!open || !first || !isShown || link.bloqueados.includes(student_id))
    throw new Problem('classes.not_open');
  if (present.some((one) => one.student_id === student_id)) throw new Problem('classes.already_in');
  if (!isInTime(open, first, tx.now)) throw new Problem('classes.too_late');
  const seats = seatsFor(queue.fila, student_id, open.vagas - present.length);
  return { student_id, members, first, queue, seats };
}

/** Whether students book other times does not matter here. */
async function refuseSeat(tx: CommandTransaction, inicio: string): Promise<void> {
  const settings = await tx.load(studentBooking, tx.context.tenantId);
  refuseObstacle({ ...settings, ativo: true }, await loadStanding(tx, settings), { inicio, now: tx.now });
}

/** Takes a seat in the hour of a class, by the rules of the student's other bookings. */
export const BookSeat = defineCommand('BookSeat', async (tx, grupo_id: string, { inicio }: NewSeat) => {
  const { timezone } = tx.context;
  const { student_id, members, first, queue, seats } = await loadHour(tx, grupo_id, inicio);
  if (seats === 0) throw new Problem('classes.full');
  await refuseSeat(tx, inicio);
  const busy = await loadBusy(tx, Date.parse(inicio), Date.parse(first.fim));
  const meanwhile = await Promise.all(busy.map(([id]) => tx.load(session, id)));
  if (meanwhile.some((one) => one?.student_id === student_id)) throw new Problem('classes.busy');
  const own = new Set(members.map(({ session_id }) => session_id));
  const session_id = randomUUID();
  const booking = {
    ...single,
    session_id,
    student_id,
    grupo_id,
    inicio,
    fim: first.fim,
    timezone,
    observacoes: null,
    location_id: first.location_id,
    servico: first.servico,
    // Another session that the trainer allowed at the same time stays.
    permitir_conflito: busy.some(([id]) => !own.has(id)),
  };
  tx.append(session, session_id, decideBook(booking));
  const booked = existingSession(await tx.load(session, session_id));
  tx.append(sessionRequest, session_id, decideDone(booked, booked, 'agendar', tx.now));
  tx.append(seatQueue, grupo_id, decideWaitEnd(queue, grupo_id, student_id, 'entrou'));
  return { id: session_id };
});

/** Waits for a seat, as who could take it now: what is offered to somebody is held from others. Does nothing the second time. */
export const AwaitSeat = defineCommand('AwaitSeat', async (tx, grupo_id: string, { inicio }: NewSeat) => {
  const { student_id, queue, seats } = await loadHour(tx, grupo_id, inicio);
  if (seats > 0) throw new Problem('classes.seats_left');
  if (queue.fila.some((one) => one.student_id === student_id)) return { id: grupo_id };
  await refuseSeat(tx, inicio);
  if (queue.fila.length >= MOST_WAITING) throw new Problem('classes.queue_full');
  tx.append(seatQueue, grupo_id, [
    { type: 'SeatAwaited', data: { wait_id: randomUUID(), grupo_id, student_id, inicio } },
  ]);
  return { id: grupo_id };
});

export const LeaveSeatQueue = defineCommand('LeaveSeatQueue', async (tx, grupo_id: string) => {
  const queue = await tx.load(seatQueue, grupo_id);
  const student_id = tx.context.studentId!;
  const ended = decideWaitEnd(queue, grupo_id, student_id, 'saiu');
  if (ended.length === 0) throw new Problem('classes.not_waiting');
  tx.append(seatQueue, grupo_id, ended);
  return { id: grupo_id };
});
