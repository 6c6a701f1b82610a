import { Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { addDays } from 'date-fns';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { hashOf } from '../../platform/link-tokens.js';
import { firstName } from '../../platform/portuguese.js';
import type { CalendarEntry } from './calendar-file.ics.js';
import { nameAmongSeveral } from '../accounts/siblings.queries.js';
import { trainersName } from '../accounts/trainers-name.queries.js';
import { agreedAddress } from '../services/offered.queries.js';

/** The calendar at an address. `studentId`: the student whose sessions it shows; null: all sessions of the trainer. */
export interface FoundCalendar {
  tenantId: string;
  studentId: string | null;
  withNames: boolean;
  personal: string;
}

const FIND = `select tenant_id as "tenantId", null::uuid as "studentId", com_nomes as "withNames", personal
  from auth.find_calendar_feed($1)
  union all select tenant_id, student_id, true, personal from auth.find_student_calendar($1)`;

const DAYS_BACK = 90;
const DAYS_AHEAD = 365;
/** More than twenty sessions a day. */
const MOST_SESSIONS = 10_000;

@Injectable()
export class Calendars {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 404 for any address that is not a current one */
  async find(token: string): Promise<FoundCalendar> {
    const [found] = await this.database.lookUp<FoundCalendar>(FIND, [hashOf(token)]);
    if (!found) throw new Problem('not_found');
    return found;
  }

  async read({ tenantId, studentId, withNames, personal }: FoundCalendar) {
    const now = this.clock.now();
    const span = { from: addDays(now, -DAYS_BACK), to: addDays(now, DAYS_AHEAD), most: MOST_SESSIONS };
    const rows = await this.database.report(
      tenantId,
      between({ ...span, studentId: studentId ?? undefined }),
    );
    const [sibling] =
      studentId === null ? [] : await this.database.report(tenantId, nameAmongSeveral({ studentId }));
    const titleOf = (student: string | null) => {
      if (studentId !== null) return `Aula${ofOne(sibling)} com ${personal}`;
      return withNames ? (student ?? 'Aluno apagado') : 'Sessão';
    };
    const entries = rows.map(({ student_nome, local, ...row }) => ({
      ...row,
      titulo: titleOf(student_nome),
      local: withNames ? local : null,
    }));
    return {
      name: studentId === null ? `Rende · ${personal}` : `Aulas${ofOne(sibling)} com ${personal}`,
      entries,
    };
  }
}

/** Names the student where the account is several. */
const ofOne = (sibling: { nome: string | null } | undefined): string =>
  sibling?.nome ? ` de ${firstName(sibling.nome)}` : '';

/** Sessions that are not deleted; includes cancelled ones, so that calendar programs remove them. */
export function sessions(db: Kysely<DB>) {
  return (
    db
      .selectFrom('sessions as s')
      .innerJoin('session_revisions as r', (join) => sameTenant(join, 'r.id', 's.id'))
      .leftJoin('students as st', (join) => sameTenant(join, 'st.id', 's.student_id'))
      .leftJoin('locations as l', (join) => sameTenant(join, 'l.id', 's.location_id'))
      .select(['s.id', 's.inicio', 's.fim', 's.status', 's.confirmado', 'r.revisao', 'r.alterada_em'])
      .select(['st.nome as student_nome'])
      // Calendar programs open an address.
      .select((eb) => eb.fn.coalesce('l.nome', agreedAddress).as('local'))
      .where(sql<boolean>`not s.deleted`)
  );
}

interface Span {
  from: Date;
  to: Date;
  most: number;
  studentId?: string | undefined;
}

const between = statement((db, { from, to, most, studentId }: Blanks<Span>) =>
  sessions(db)
    .where('s.inicio', '>=', from)
    .where('s.inicio', '<', to)
    .$if(studentId !== undefined, (found) => found.where('s.student_id', '=', studentId!))
    .orderBy('s.inicio')
    .orderBy('s.id')
    .limit(most)
    .compile(),
);

/** One session as a calendar entry: any session for the trainer, an own one for a student. */
export const ReadSessionEntry = defineQuery(
  'ReadSessionEntry',
  async ({ context, read }, id: string): Promise<CalendarEntry> => {
    const { studentId } = context;
    const [[row], [sibling]] = await Promise.all([
      read(one({ id, studentId: studentId ?? undefined })),
      studentId === null ? [] : read(nameAmongSeveral({ studentId })),
    ]);
    if (!row) throw new Problem('agenda.session_not_found');
    const { student_nome, personal, ...entry } = row;
    const titulo =
      studentId === null
        ? (student_nome ?? 'Aluno apagado')
        : `Aula${ofOne(sibling)} com ${personal ?? 'seu personal'}`;
    return { ...entry, titulo };
  },
);

const one = statement((db, { id, studentId }: Blanks<{ id: string; studentId?: string | undefined }>) =>
  sessions(db)
    .select(trainersName.as('personal'))
    .where('s.id', '=', id)
    .$if(studentId !== undefined, (found) => found.where('s.student_id', '=', studentId!))
    .compile(),
);
