import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { offeredPlan, plan } from '../plans/plan.js';
import { isStudentInUse } from './student-links.guard.js';
import {
  decideArchive,
  decideRegister,
  decideRemove,
  decideRestore,
  decideUpdate,
  existingStudent,
  student,
} from './student.js';
import type { NewStudent, StudentChanges } from './students.api.js';

type Result = Promise<CommandResult<Created>>;

export class RegisterStudent extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly fields: NewStudent,
  ) {
    super();
  }
}

@CommandHandler(RegisterStudent)
export class RegisterStudentHandler implements ICommandHandler<RegisterStudent> {
  constructor(private readonly store: EventStore) {}

  execute(command: RegisterStudent): Result {
    const { fields } = command;
    return this.store.transact(command, async (tx) => {
      if (fields.plano_id) offeredPlan(await tx.load(plan, fields.plano_id));
      const id = randomUUID();
      tx.append(student, id, decideRegister(id, fields));
      return { id };
    });
  }
}

export class UpdateStudent extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
    readonly changes: StudentChanges,
  ) {
    super();
  }
}

@CommandHandler(UpdateStudent)
export class UpdateStudentHandler implements ICommandHandler<UpdateStudent> {
  constructor(private readonly store: EventStore) {}

  execute(command: UpdateStudent): Result {
    const { id, changes } = command;
    return this.store.transact(command, async (tx) => {
      const [state, wantedPlan] = await Promise.all([
        tx.load(student, id),
        changes.plano_id ? tx.load(plan, changes.plano_id) : undefined,
      ]);
      const keepsPlan = existingStudent(state).plano_id === changes.plano_id;
      if (wantedPlan && !keepsPlan) offeredPlan(wantedPlan);
      tx.append(student, id, decideUpdate(state, changes));
      return { id };
    });
  }
}

export class ArchiveStudent extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(ArchiveStudent)
export class ArchiveStudentHandler implements ICommandHandler<ArchiveStudent> {
  constructor(private readonly store: EventStore) {}

  execute(command: ArchiveStudent): Result {
    const { id } = command;
    return this.store.transact(command, async (tx) => {
      tx.append(student, id, decideArchive(await tx.load(student, id)));
      return { id };
    });
  }
}

export class RemoveStudent extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveStudent)
export class RemoveStudentHandler implements ICommandHandler<RemoveStudent> {
  constructor(private readonly store: EventStore) {}

  execute(command: RemoveStudent): Result {
    const { id } = command;
    return this.store.transact(command, async (tx) => {
      const [state, inUse] = await Promise.all([tx.load(student, id), isStudentInUse(tx, id)]);
      tx.append(student, id, decideRemove(state, inUse));
      return { id };
    });
  }
}

export class RestoreStudent extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RestoreStudent)
export class RestoreStudentHandler implements ICommandHandler<RestoreStudent> {
  constructor(private readonly store: EventStore) {}

  execute(command: RestoreStudent): Result {
    const { id } = command;
    return this.store.transact(command, async (tx) => {
      const state = await tx.load(student, id);
      const formerPlan =
        state.status !== 'unknown' && state.plano_id ? await tx.load(plan, state.plano_id) : undefined;
      tx.append(student, id, decideRestore(state, formerPlan?.status === 'existing'));
      return { id };
    });
  }
}
