import type { Colour } from '../../platform/colours.api.js';
import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns';
import { type Kysely, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { calendarDate, id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import { searchable } from '../../platform/searchable.api.js';
import { repetitionOf } from './repetition.js';
import type { Task, TaskLists, TaskPage, TasksQuery } from './tasks.api.js';

const byOrder = z.tuple([z.string(), id]);
const byCompletion = z.tuple([instant, id]);
/** A task for the whole day sorts as an empty time, before those with a time. */
const byDate = z.tuple([calendarDate, z.string(), id]);

/** What a task shows follows from these. */
const SHOWN: WantedTables = { tables: ['tasks', 'task_lists'], inClear: true };

export const ListTasks = defineQuery(
  'ListTasks',
  { past: PastTables },
  async ({ context }, { past }, list: TasksQuery): Promise<TaskPage> => {
    const { list_id, situacao, from, to, q, limit, cursor, at } = list;
    const { read } = await past.at(context.tenantId, at, SHOWN);
    const asked: Asked = {
      from,
      to,
      limit: limit + 1,
      term: q ? searchable(q) : undefined,
      ...(list_id === 'sem_lista' ? { without_list: true } : { list_id }),
      ...(situacao === undefined ? {} : { done: situacao === 'concluidas' }),
    };
    const ask = (find: typeof inOrder, place: Partial<Asked>) => read(find({ ...asked, ...place }));
    if (from !== undefined || to !== undefined) {
      const [date, hora, last] = cursor === undefined ? [] : decodeCursor(byDate, cursor);
      const rows = await ask(inCalendar, { date, hora, last });
      return { at, ...pageOf(rows, limit, (row) => [row.data_vencimento!, row.hora ?? '', row.id]) };
    }
    if (situacao === 'concluidas') {
      const [completed, last] = cursor === undefined ? [] : decodeCursor(byCompletion, cursor);
      const rows = await ask(completedOnes, { completed, last });
      return { at, ...pageOf(rows, limit, (row) => [row.concluida_em!.toISOString(), row.id]) };
    }
    const [ordem, last] = cursor === undefined ? [] : decodeCursor(byOrder, cursor);
    const rows = await ask(inOrder, { ordem, last });
    return { at, ...pageOf(rows, limit, (row) => [row.ordem, row.id]) };
  },
);

export const GetTask = defineQuery('GetTask', async ({ read }, id: string): Promise<Task> => {
  const [row] = await read(byId({ id }));
  if (!row) throw new Problem('tasks.not_found');
  return shown(row);
});

export const ListTaskLists = defineQuery(
  'ListTaskLists',
  async ({ context, now, read }): Promise<TaskLists> => {
    const here = new TZDate(now, context.timezone);
    const [row] = await read(lists({ today: format(here, 'yyyy-MM-dd'), time: format(here, 'HH:mm') }));
    const { items, counts } = row!;
    const sum = (which: typeof counts) => ({
      abertas: which.reduce((total, { abertas }) => total + abertas, 0),
      concluidas: which.reduce((total, { concluidas }) => total + concluidas, 0),
    });
    return {
      items: items.map(({ id, nome, cor }) => ({
        id,
        nome: nome ?? 'Lista sem nome',
        cor: cor as Colour,
        ...sum(counts.filter(({ list_id }) => list_id === id)),
      })),
      todas: { ...sum(counts), vencidas: counts.reduce((total, { vencidas }) => total + vencidas, 0) },
      sem_lista: sum(counts.filter(({ list_id }) => list_id === null)),
    };
  },
);

/** Tasks that were not deleted, with their lists. */
function details(db: Kysely<DB>) {
  return db
    .selectFrom('tasks as t')
    .leftJoin('task_lists as l', (join) => sameTenant(join, 'l.id', 't.list_id'))
    .select(['t.id', 't.titulo', 't.descricao', 't.data_vencimento', 't.hora', 't.list_id'])
    .select(['l.nome as list_nome', 'l.cor as list_cor', 't.rrule', 't.concluida_em', 't.ordem'])
    .where(sql<boolean>`not t.deleted`);
}

interface Asked {
  list_id?: string | undefined;
  without_list?: boolean;
  done?: boolean;
  from?: string | undefined;
  to?: string | undefined;
  term?: string | undefined;
  /** Cursor: the last row of the previous page. */
  ordem?: string | undefined;
  completed?: string | undefined;
  date?: string | undefined;
  hora?: string | undefined;
  last?: string | undefined;
  limit: number;
}

function matching(db: Kysely<DB>, asked: Blanks<Asked>) {
  const { list_id, without_list, done, term, limit } = asked;
  return details(db)
    .$if(list_id !== undefined, (found) => found.where('t.list_id', '=', list_id!))
    .$if(without_list !== undefined, (found) => found.where('t.list_id', 'is', null))
    .$if(done !== undefined, (found) =>
      found.where(sql<boolean>`(t.concluida_em is not null) = ${done!}::boolean`),
    )
    .$if(term !== undefined, (found) => found.where(sql<boolean>`strpos(t.busca, ${term!}) > 0`))
    .limit(limit);
}

// Only a plain comparison of the first column can use an index under row security.

const inOrder = statement((db, asked: Blanks<Asked>) =>
  matching(db, asked)
    .$if(asked.ordem !== undefined, (found) =>
      found.where(
        sql<boolean>`t.ordem >= ${asked.ordem!} and (t.ordem, t.id) > (${asked.ordem!}, ${asked.last!}::uuid)`,
      ),
    )
    .orderBy('t.ordem')
    .orderBy('t.id')
    .compile(),
);

const completedOnes = statement((db, asked: Blanks<Asked>) =>
  matching(db, asked)
    .$if(asked.completed !== undefined, (found) =>
      found.where(
        sql<boolean>`t.concluida_em <= ${asked.completed!}::timestamptz
          and (t.concluida_em < ${asked.completed!}::timestamptz or t.id > ${asked.last!}::uuid)`,
      ),
    )
    .orderBy('t.concluida_em', 'desc')
    .orderBy('t.id')
    .compile(),
);

const inCalendar = statement((db, asked: Blanks<Asked>) =>
  matching(db, asked)
    .where('t.data_vencimento', 'is not', null)
    .$if(asked.from !== undefined, (found) =>
      found.where(sql<boolean>`t.data_vencimento >= ${asked.from!}::date`),
    )
    .$if(asked.to !== undefined, (found) => found.where(sql<boolean>`t.data_vencimento < ${asked.to!}::date`))
    .$if(asked.date !== undefined, (found) =>
      found.where(
        sql<boolean>`t.data_vencimento >= ${asked.date!}::date
          and (t.data_vencimento, coalesce(t.hora, ''), t.id) > (${asked.date!}::date, ${asked.hora!}, ${asked.last!}::uuid)`,
      ),
    )
    .orderBy('t.data_vencimento')
    .orderBy(sql`coalesce(t.hora, '')`)
    .orderBy('t.id')
    .compile(),
);

const byId = statement((db, { id }: Blanks<{ id: string }>) => details(db).where('t.id', '=', id).compile());

/** `today` and `time` are in the trainer's zone and decide what is overdue. A task without a time is overdue on the day after. */
const lists = statement((db, { today, time }: Blanks<{ today: string; time: string }>) => {
  const existing = db
    .selectFrom('task_lists')
    .select(['id', 'nome', 'cor'])
    .where(sql<boolean>`not deleted`)
    .orderBy('ordem')
    .orderBy('id');
  const counts = db
    .selectFrom('tasks')
    .select('list_id')
    .select(sql<number>`count(*) filter (where concluida_em is null)::int`.as('abertas'))
    .select(sql<number>`count(*) filter (where concluida_em is not null)::int`.as('concluidas'))
    .select(
      sql<number>`count(*) filter (where concluida_em is null and (data_vencimento < ${today}::date
        or data_vencimento = ${today}::date and hora < ${time}))::int`.as('vencidas'),
    )
    .where(sql<boolean>`not deleted`)
    .groupBy('list_id');
  return db.selectNoFrom([jsonArrayFrom(existing).as('items'), jsonArrayFrom(counts).as('counts')]).compile();
});

type Row = Awaited<ReturnType<ReturnType<typeof details>['executeTakeFirstOrThrow']>>;

function shown(row: Row): Task {
  return {
    id: row.id,
    titulo: row.titulo ?? 'Tarefa sem título',
    descricao: row.descricao,
    data_vencimento: row.data_vencimento,
    hora: row.hora,
    list_id: row.list_id,
    list_nome: row.list_nome,
    list_cor: row.list_cor as Colour | null,
    repeticao: repetitionOf(row.rrule),
    concluida: row.concluida_em !== null,
    concluida_em: row.concluida_em === null ? null : row.concluida_em.toISOString(),
  };
}

function pageOf(rows: Row[], limit: number, placeOf: (row: Row) => string[]): TaskPage {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(shown),
    next: rows.length > limit && last ? encodeCursor(placeOf(last)) : null,
  };
}
