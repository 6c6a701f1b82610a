import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { membersOf } from '../agenda/session.loads.js';
import { loadBusy } from '../agenda/session-times.loads.js';
import { classOf } from '../classes/classes.loads.js';
import { isInTime } from '../classes/open-class.js';
import { publicLink } from '../public-link/public-link.js';
import { decideBook, existingSession, occupies, session, single } from '../sessions/session.js';
import { activeStudent, student } from '../students/student.js';
import { loadStanding } from './booking.commands.js';
import { refusePaused } from './own-session.loads.js';
import { decideDone, sessionRequest } from './session-request.js';
import { refuseObstacle, studentBooking } from './student-booking.js';
import type { NewSeat } from './student-booking.api.js';

/** Takes a seat in the hour of a class, by the rules of the student's other bookings. */
export const BookSeat = defineCommand('BookSeat', async (tx, grupo_id: string, { inicio }: NewSeat) => {
  const { tenantId, studentId, timezone } = tx.context;
  const student_id = studentId!;
  const [settings, who, link, members] = await Promise.all([
    tx.load(studentBooking, tenantId),
    tx.load(student, student_id),
    tx.load(publicLink, tenantId),
    membersOf(tx, { grupo_id }),
    refusePaused(tx, inicio),
  ]);
  activeStudent(who);
  const open = await classOf(tx, members);
  const present = members.filter((one) => occupies(one) && one.inicio === inicio);
  const [first] = present;
  if (!open || !first || link.bloqueados.includes(student_id)) throw new Problem('classes.not_open');
  if (present.some((one) => one.student_id === student_id)) throw new Problem('classes.already_in');
  if (!isInTime(open, first, tx.now)) throw new Problem('classes.too_late');
  if (present.length >= open.vagas) throw new Problem('classes.full');
  // Whether students book other times does not matter here.
  refuseObstacle({ ...settings, ativo: true }, await loadStanding(tx, settings), { inicio, now: tx.now });
  const busy = await loadBusy(tx, Date.parse(inicio), Date.parse(first.fim));
  const own = new Set(members.map(({ session_id }) => session_id));
  const session_id = randomUUID();
  const booking = {
    ...{ ...single, session_id, student_id, grupo_id, inicio, fim: first.fim, timezone, observacoes: null },
    location_id: first.location_id,
    // Another session that the trainer allowed at the same time stays.
    permitir_conflito: busy.some(([id]) => !own.has(id)),
  };
  tx.append(session, session_id, decideBook(booking));
  const booked = existingSession(await tx.load(session, session_id));
  tx.append(sessionRequest, session_id, decideDone(booked, booked, 'agendar', tx.now));
  return { id: session_id };
});
