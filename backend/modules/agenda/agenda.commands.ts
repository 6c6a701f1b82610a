import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { existingLocation, location } from '../locations/location.js';
import { activeStudent, student } from '../students/student.js';
import type {
  NewSession,
  SessionCancellation,
  SessionChanges,
  SessionOutcome,
  SessionReturn,
} from './agenda.api.js';
import { refuseOverlap, returnCredit, useCredit } from './session.dealings.js';
import {
  decideBook,
  decideDelete,
  decideRestore,
  deletedSession,
  existingSession,
  type KnownSession,
  occupies,
  session,
} from './session.js';
import { cancel, causeOf, change, complete, refuseComing, reopen, reschedule } from './session.steps.js';

type Outcome = Promise<CommandResult<SessionOutcome>>;

export class BookSession extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly booking: NewSession,
  ) {
    super();
  }
}

@CommandHandler(BookSession)
export class BookSessionHandler implements ICommandHandler<BookSession> {
  constructor(private readonly store: EventStore) {}

  execute(command: BookSession): Promise<CommandResult<Created>> {
    const { context, booking } = command;
    const { student_id, inicio, fim, location_id = null, observacoes = null } = booking;
    const permitir_conflito = booking.permitir_conflito ?? false;
    const id = randomUUID();
    const events = decideBook({
      session_id: id,
      student_id,
      inicio,
      fim,
      location_id,
      observacoes,
      permitir_conflito,
      timezone: context.timezone,
    });
    return this.store.transact(command, async (tx) => {
      const [who, where] = await Promise.all([
        tx.load(student, student_id),
        location_id === null ? undefined : tx.load(location, location_id),
        refuseOverlap(tx, booking, permitir_conflito),
      ]);
      activeStudent(who);
      if (where) existingLocation(where);
      tx.append(session, id, events);
      return { id };
    });
  }
}

export class ChangeSession extends Command<CommandResult<SessionOutcome>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
    readonly changes: SessionChanges,
  ) {
    super();
  }
}

/** Leaves what is taken before it moves and takes what is wished after it moved: nothing is in its own way. */
@CommandHandler(ChangeSession)
export class ChangeSessionHandler implements ICommandHandler<ChangeSession> {
  constructor(private readonly store: EventStore) {}

  execute(command: ChangeSession): Outcome {
    const { id, changes } = command;
    const { inicio, fim, status, motivo = 'personal', permitir_conflito = false, ...details } = changes;
    return this.store.transact(command, async (tx) => {
      const before = existingSession(await tx.load(session, id));
      const goes = (to: typeof status) => status === to && before.status !== to;
      const now = async () => existingSession(await tx.load(session, id));

      if (goes('cancelada')) await cancel(tx, before, { motivo });
      const slot = { inicio: inicio ?? before.inicio, fim: fim ?? before.fim };
      await reschedule(tx, await now(), slot, permitir_conflito);
      if (goes('agendada')) await reopen(tx, await now(), permitir_conflito);
      await change(tx, await now(), details);
      if (goes('feita')) await complete(tx, await now(), permitir_conflito);

      const after = await now();
      const moved = after.inicio !== before.inicio || after.fim !== before.fim;
      if (occupies(after) && (moved || !occupies(before)))
        await refuseOverlap(tx, after, permitir_conflito, id);
      return outcome(after);
    });
  }
}

export class CompleteSession extends Command<CommandResult<SessionOutcome>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
    readonly options: SessionReturn,
  ) {
    super();
  }
}

@CommandHandler(CompleteSession)
export class CompleteSessionHandler implements ICommandHandler<CompleteSession> {
  constructor(private readonly store: EventStore) {}

  execute(command: CompleteSession): Outcome {
    const { id, options } = command;
    const { permitir_conflito = false } = options;
    return this.store.transact(command, async (tx) => {
      const state = existingSession(await tx.load(session, id));
      if (!occupies(state)) await refuseOverlap(tx, state, permitir_conflito, id);
      await complete(tx, state, permitir_conflito);
      return outcome(existingSession(await tx.load(session, id)));
    });
  }
}

export class ReopenSession extends Command<CommandResult<SessionOutcome>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
    readonly options: SessionReturn,
  ) {
    super();
  }
}

@CommandHandler(ReopenSession)
export class ReopenSessionHandler implements ICommandHandler<ReopenSession> {
  constructor(private readonly store: EventStore) {}

  execute(command: ReopenSession): Outcome {
    const { id, options } = command;
    const { permitir_conflito = false } = options;
    return this.store.transact(command, async (tx) => {
      const state = existingSession(await tx.load(session, id));
      if (!occupies(state)) await refuseOverlap(tx, state, permitir_conflito, id);
      await reopen(tx, state, permitir_conflito);
      return outcome(existingSession(await tx.load(session, id)));
    });
  }
}

export class CancelSession extends Command<CommandResult<SessionOutcome>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
    readonly cancellation: SessionCancellation,
  ) {
    super();
  }
}

@CommandHandler(CancelSession)
export class CancelSessionHandler implements ICommandHandler<CancelSession> {
  constructor(private readonly store: EventStore) {}

  execute(command: CancelSession): Outcome {
    const { id, cancellation } = command;
    return this.store.transact(command, async (tx) => {
      await cancel(tx, existingSession(await tx.load(session, id)), cancellation);
      return outcome(existingSession(await tx.load(session, id)));
    });
  }
}

export class DeleteSession extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteSession)
export class DeleteSessionHandler implements ICommandHandler<DeleteSession> {
  constructor(private readonly store: EventStore) {}

  execute(command: DeleteSession): Promise<CommandResult<Created>> {
    const { id } = command;
    return this.store.transact(command, async (tx) => {
      const state = existingSession(await tx.load(session, id));
      await returnCredit(tx, state);
      tx.append(session, id, decideDelete(state));
      return { id };
    });
  }
}

export class RestoreSession extends Command<CommandResult<SessionOutcome>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
    readonly options: SessionReturn,
  ) {
    super();
  }
}

/** Undoes a deletion: what the session had of credits is asked for again. */
@CommandHandler(RestoreSession)
export class RestoreSessionHandler implements ICommandHandler<RestoreSession> {
  constructor(private readonly store: EventStore) {}

  execute(command: RestoreSession): Outcome {
    const { id, options } = command;
    const { permitir_conflito = false } = options;
    return this.store.transact(command, async (tx) => {
      const state = deletedSession(await tx.load(session, id));
      if (state.status === 'agendada') await refuseComing(tx, state);
      if (state.status !== 'cancelada') await refuseOverlap(tx, state, permitir_conflito, id);
      const credito = state.credito === 'nenhum' ? 'nenhum' : await useCredit(tx, state, causeOf(state));
      tx.append(session, id, decideRestore(state, credito, permitir_conflito));
      return outcome(existingSession(await tx.load(session, id)));
    });
  }
}

const COMING = `select m.session_id from session_slot_members m
  where m.tenant_id = $1 and m.inicio > $3 and exists (
    select from events e where e.tenant_id = m.tenant_id and e.stream_id = 'session:' || m.session_id
      and e.data->>'student_id' = $2) order by m.inicio, m.session_id`;

/** Cancels all that a student has scheduled after now, at no cost. Answers how many that were. */
export async function cancelComing(tx: CommandTransaction, studentId: string): Promise<number> {
  const coming = await tx.query<{ session_id: string }>(COMING, [tx.context.tenantId, studentId, tx.now]);
  const sessions = await Promise.all(coming.map(({ session_id }) => tx.load(session, session_id)));
  const scheduled = sessions
    .map(existingSession)
    .filter(({ student_id, status }) => student_id === studentId && status === 'agendada');
  for (const state of scheduled) await cancel(tx, state, { motivo: 'personal' });
  return scheduled.length;
}

function outcome({ session_id, status, credito, taxa }: KnownSession): SessionOutcome {
  return {
    id: session_id,
    status,
    usou_credito: credito === 'usado',
    sem_credito: credito === 'faltou',
    taxa,
  };
}
