import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Database } from '../../../platform/database/database.js';
import { type Blanks, statement } from '../../../platform/database/statement.js';
import { Problem } from '../../../platform/http/problem.js';
import { eachAlone } from '../../../platform/jobs/each-alone.js';
import { TellContact } from '../../told-contacts/told-contacts.commands.js';
import { Profiles } from '../users/profiles.service.js';
import { MEMBERSHIPS, type OwnMembership } from './export-writer.js';

const CHANGE = 'select nome_antes, telefone, at::text from auth.contact_changes where user_id = $1';
/** Not one that was made meanwhile. */
const TOLD = 'delete from auth.contact_changes where user_id = $1 and at = $2::timestamptz';
const DUE = 'select user_id as id from auth.contact_changes order by at limit 20';

interface Change {
  nome_antes: string | null;
  telefone: boolean;
  at: string;
}

/** Tells a student's trainers what the student has changed in the account, each in the own tenant. */
@Injectable()
export class ContactChanges {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly profiles: Profiles,
  ) {}

  /** After an interruption it is called again: a trainer is not asked twice about the same. */
  async tell(userId: string): Promise<void> {
    const [change] = await this.database.query<Change>(CHANGE, [userId]);
    if (!change) return;
    const { nome, telefone } = await this.profiles.show(userId);
    const memberships = await this.database.query<OwnMembership>(MEMBERSHIPS, [userId]);
    const asStudent = memberships.filter(({ role }) => role === 'aluno');
    await eachAlone(
      asStudent,
      ({ tenant_id }) => ({ tenantId: tenant_id }),
      async ({ tenant_id, timezone, student_id }) => {
        // What a payer's account says is not about the student.
        const [payers] = await this.database.read(tenant_id, ofPayer({ studentId: student_id! }));
        if (payers) return;
        await this.commands
          .execute(
            new TellContact(
              {
                tenantId: tenant_id,
                userId,
                role: 'aluno',
                studentId: student_id,
                timezone,
                requestId: randomUUID(),
                device: null,
                idempotency: null,
              },
              {
                ...(change.telefone && { whatsapp: telefone }),
                ...(change.nome_antes !== null && { nome: { antes: change.nome_antes, agora: nome } }),
              },
            ),
          )
          .catch(unlessClosed);
      },
    );
    await this.database.query(TOLD, [userId, change.at]);
  }

  /** Changes that are untold because a job was lost or a worker ended. */
  async due(): Promise<string[]> {
    return (await this.database.query<{ id: string }>(DUE, [])).map(({ id }) => id);
  }
}

const ofPayer = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('student_access')
    .select('id')
    .where('id', '=', studentId)
    .where('payer_id', 'is not', null)
    .compile(),
);

/** A tenant that was closed meanwhile has nobody to tell. */
function unlessClosed(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'not_found')) throw error;
}
