import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { Problem } from '../../platform/http/problem.js';
import { cancelComing } from '../agenda/agenda.commands.js';
import { decideArchive, student } from '../students/student.js';
import { decideForget, person } from './person.js';
import type { Forgotten } from './privacy.api.js';

export class ForgetStudent extends Command<CommandResult<Forgotten>> {
  constructor(
    readonly context: CommandContext,
    readonly id: string,
  ) {
    super();
  }
}

/**
 * Cannot be undone. Removed students are forgotten too. Sessions to come are cancelled with it: nobody is left to hold
 * them for, and whoever asks to be forgotten does not wait until the trainer has cancelled them one by one.
 */
@CommandHandler(ForgetStudent)
export class ForgetStudentHandler implements ICommandHandler<ForgetStudent> {
  constructor(private readonly store: EventStore) {}

  execute(command: ForgetStudent): Promise<CommandResult<Forgotten>> {
    const { id } = command;
    return this.store.transact(command, async (tx) => {
      const [who, state] = await Promise.all([tx.load(student, id), tx.load(person, id)]);
      if (who.status === 'unknown') throw new Problem('students.not_found');
      if (state.forgotten) return { id, sessoes_canceladas: 0 };
      const sessoes_canceladas = await cancelComing(tx, id);
      if (who.status === 'active') tx.append(student, id, decideArchive(who));
      tx.append(person, id, decideForget(state, id));
      return { id, sessoes_canceladas };
    });
  }
}
