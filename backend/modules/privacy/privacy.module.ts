import { Module } from '@nestjs/common';
import { ForgetAgain } from '../../platform/event-store/forgotten-list.js';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { privacyApi, type ForgetPreview, type PayerForgetPreview } from './privacy.api.js';
import { ForgetPayer, ForgetStudent, ForgetStudentAgain } from './privacy.commands.js';
import { type ExpressionBuilder, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { EventCodec } from '../../platform/event-store/event-codec.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { Database } from '../../platform/database/database.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { lastZonesDay } from '../../platform/http/common.api.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { decideEndRetention, person } from '../students/person.js';

const OVER = 'select tenant_id, person_id, key_id from retention_over($1::date)';

interface Over extends Record<string, unknown> {
  tenant_id: string;
  person_id: string;
  key_id: string;
}

class EndRetention {
  constructor(readonly context: CommandContext) {}
}

/** Ends retentions of forgotten persons that have expired. */
export const endRetentions = defineSchedule(
  'retention',
  3_600_000,
  { database: Database, store: EventStore },
  async (now, { database, store }) => {
    await eachAlone(
      await database.lookUp<Over>(OVER, [lastZonesDay(now)]),
      ({ tenant_id: tenantId, person_id: personId }) => ({ tenantId, personId }),
      ({ tenant_id, person_id, key_id }) => {
        const end = async (tx: CommandTransaction) => {
          const events = decideEndRetention(await tx.load(person, person_id), person_id, key_id);
          tx.append(person, person_id, events);
          return { id: key_id };
        };
        const context = nobodyOf(tenant_id, 'America/Sao_Paulo');
        return store.transact(new EndRetention(context), end, { evenClosed: true });
      },
    );
  },
);

/** The data that stay after a student is forgotten. */
const PreviewForgetting = defineQuery(
  'PreviewForgetting',
  { codec: EventCodec },
  async ({ context, now, read }, { codec }, id: string): Promise<ForgetPreview> => {
    const today = dateOf(now, context.timezone);
    const rows = await read(retained({ id, today }));
    if (rows.length === 0) throw new Problem('students.not_found');
    return { permanece: inWords(codec, rows), tarefas: rows[0]!.tarefas };
  },
);

const PreviewForgettingPayer = defineQuery(
  'PreviewForgettingPayer',
  { codec: EventCodec },
  async ({ context, now, read }, { codec }, id: string): Promise<PayerForgetPreview> => {
    const rows = await read(retainedOfPayer({ id, today: dateOf(now, context.timezone) }));
    if (rows.length === 0) throw new Problem('payers.not_found');
    return { permanece: inWords(codec, rows) };
  },
);

const inWords = (codec: EventCodec, rows: readonly { name: string | null; until: string | null }[]) =>
  rows.flatMap(({ name, until }) => {
    const retention = codec.retentions.get(name ?? '');
    return retention ? [{ o_que: retention.what, por_que: retention.why, ate: until! }] : [];
  });

/** Of a payer; one row with nulls if nothing is retained. */
const retainedOfPayer = statement((db, { id, today }: Blanks<{ id: string; today: string }>) =>
  db
    .selectFrom('payers as y')
    .leftJoin('person_keys as k', (join) =>
      join
        .onRef('k.tenant_id', '=', 'y.tenant_id')
        .onRef('k.retained_person', '=', 'y.id')
        .on('k.wrapped_key', 'is not', null)
        .on(sql<boolean>`k.retained_until >= ${today}`),
    )
    .select(['k.retained_name as name', 'k.retained_until as until'])
    .where('y.id', '=', id)
    .orderBy('k.retained_until')
    .orderBy('k.retained_name')
    .compile(),
);

/** Maximum of listed tasks. */
const MOST_TASKS = 5;

/** The words of the first name, without accents, to search for. */
const naming = (students: ExpressionBuilder<DB & { s: DB['students'] }, 's'>) =>
  sql<string[]>`array(${students
    .selectFrom('tasks as t')
    .select('t.titulo')
    .where(sql<boolean>`not t.deleted and t.titulo is not null and ${students.ref('s.nome')} is not null`)
    .where(
      sql<boolean>`split_part(${students.ref('s.busca')}, ' ', 1) = any(regexp_split_to_array(t.busca, '[^a-z0-9]+'))`,
    )
    .orderBy('t.ordem')
    .orderBy('t.id')
    .limit(MOST_TASKS)})`;

/** Retained data; one row with nulls if there are none. */
const retained = statement((db, { id, today }: Blanks<{ id: string; today: string }>) =>
  db
    .selectFrom('students as s')
    .leftJoin('person_keys as k', (join) =>
      join
        .onRef('k.tenant_id', '=', 's.tenant_id')
        .on(sql<boolean>`k.retained_person in (select same_student(${id}))`)
        .on('k.wrapped_key', 'is not', null)
        .on(sql<boolean>`k.retained_until >= ${today}`),
    )
    .select(['k.retained_name as name', 'k.retained_until as until'])
    .select((students) => naming(students).as('tarefas'))
    .where('s.id', '=', id)
    .orderBy('k.retained_until')
    .orderBy('k.retained_name')
    .compile(),
);

@Module(
  together(
    serve(privacyApi, {
      preview: PreviewForgetting,
      forget: ForgetStudent,
      previewPayer: PreviewForgettingPayer,
      forgetPayer: ForgetPayer,
    }),
    {
      providers: [endRetentions.Handler, { provide: ForgetAgain, useClass: ForgetStudentAgain }],
    },
  ),
)
export class PrivacyModule {
  static readonly feature: Feature = { jobs: [endRetentions] };
}
