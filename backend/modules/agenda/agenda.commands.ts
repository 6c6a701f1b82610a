import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { existingLocation, location } from '../locations/location.js';
import { cancellationPolicy } from '../policies/cancellation-policy.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import { activeStudent, student } from '../students/student.js';
import type {
  NewSession,
  SessionCancellation,
  SessionChanges,
  SessionOutcome,
  SessionReturn,
} from './agenda.api.js';
import { cancellationEffect, refuseWrongReason } from './cancellation.js';
import { refuseOverlap, returnCredit, useCredit, valueFor } from './session.dealings.js';
import {
  decideBook,
  decideCancel,
  decideChange,
  decideComplete,
  decideDelete,
  decideReopen,
  decideReschedule,
  decideRestore,
  deletedSession,
  existingSession,
  type KnownSession,
  occupies,
  session,
  type SessionDetails,
} from './session.js';

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
      tx.append(session, id, decideReschedule(await now(), slot, permitir_conflito));
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
      if (state.status !== 'cancelada') await refuseOverlap(tx, state, permitir_conflito, id);
      const credito = state.credito === 'nenhum' ? 'nenhum' : await useCredit(tx, state, causeOf(state));
      tx.append(session, id, decideRestore(state, credito, permitir_conflito));
      return outcome(existingSession(await tx.load(session, id)));
    });
  }
}

async function complete(
  tx: CommandTransaction,
  state: KnownSession,
  permitir_conflito: boolean,
): Promise<void> {
  await returnCredit(tx, state);
  const [valor, credito] = await Promise.all([
    valueFor(tx, state.student_id),
    useCredit(tx, state, 'sessao'),
  ]);
  tx.append(session, state.session_id, decideComplete(state, { credito, valor, permitir_conflito }));
}

async function reopen(
  tx: CommandTransaction,
  state: KnownSession,
  permitir_conflito: boolean,
): Promise<void> {
  await returnCredit(tx, state);
  tx.append(session, state.session_id, decideReopen(state, permitir_conflito));
}

async function cancel(
  tx: CommandTransaction,
  state: KnownSession,
  { motivo, aplicar_politica = false, justificativa = null }: SessionCancellation,
): Promise<void> {
  const [terms, valor] = await Promise.all([termsAt(tx, state.location_id), valueFor(tx, state.student_id)]);
  const effect = cancellationEffect(state, motivo, terms, valor, tx.now);
  if (aplicar_politica) refuseWrongReason(effect, terms, motivo);
  await returnCredit(tx, state);
  const burns = aplicar_politica && effect.usa_credito;
  const credito = burns ? await useCredit(tx, state, 'cancelamento') : 'nenhum';
  const applied = aplicar_politica ? { terms, effect } : null;
  tx.append(
    session,
    state.session_id,
    decideCancel(state, { motivo, justificativa, applied, credito, valor }),
  );
}

async function termsAt(tx: CommandTransaction, location_id: string | null): Promise<PolicyTerms> {
  if (location_id === null) return defaultPolicy;
  const { cancel_limite_horas, taxa_percent, queima_credito } = await tx.load(
    cancellationPolicy,
    location_id,
  );
  return { cancel_limite_horas, taxa_percent, queima_credito };
}

/** Another student's session: the credit goes back to the one and is used of the other. */
async function change(tx: CommandTransaction, state: KnownSession, wished: SessionDetails): Promise<void> {
  const { student_id = state.student_id, location_id = null } = wished;
  const changesStudent = student_id !== state.student_id;
  const [who, where] = await Promise.all([
    changesStudent ? tx.load(student, student_id) : undefined,
    location_id === null || location_id === state.location_id ? undefined : tx.load(location, location_id),
  ]);
  if (who) activeStudent(who);
  if (where) existingLocation(where);
  let { credito, valor } = state;
  if (changesStudent && credito !== 'nenhum') {
    await returnCredit(tx, state);
    credito = await useCredit(tx, { ...state, student_id }, causeOf(state));
    valor = await valueFor(tx, student_id);
  }
  tx.append(session, state.session_id, decideChange(state, wished, { credito, valor }));
}

function causeOf({ status }: KnownSession) {
  return status === 'feita' ? 'sessao' : 'cancelamento';
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
