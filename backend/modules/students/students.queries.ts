import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { searchable } from '../../platform/database/searchable.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { pageOf } from '../../platform/http/page.js';
import { Problem } from '../../platform/http/problem.js';
import type { Student, StudentList, StudentPage } from './students.api.js';

export class ListStudents extends Query<StudentPage> {
  constructor(
    readonly context: RequestContext,
    readonly list: StudentList,
  ) {
    super();
  }
}

@QueryHandler(ListStudents)
export class ListStudentsHandler implements IQueryHandler<ListStudents> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context, list }: ListStudents): Promise<StudentPage> {
    const { q, situacao, cursor, limit } = list;
    const rows = await this.database.read(
      context.tenantId,
      matching({
        ...{ status: situacao === 'ativos' ? 'active' : 'archived', now: this.clock.now() },
        ...{ term: q === undefined ? undefined : searchedFor(q), cursor, limit: limit + 1 },
      }),
    );
    return { ...pageOf(rows, limit, shown), total: rows[0]?.total ?? 0 };
  }
}

export class GetStudent extends Query<Student> {
  constructor(
    readonly context: RequestContext,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(GetStudent)
export class GetStudentHandler implements IQueryHandler<GetStudent> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context, id }: GetStudent): Promise<Student> {
    const [row] = await this.database.read(context.tenantId, byId({ id, now: this.clock.now() }));
    if (!row) throw new Problem('students.not_found');
    return shown(row);
  }
}

interface StudentsAsked {
  status: string;
  now: Date;
  term?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

const matching = statement((db, { status, now, term, cursor, limit }: Blanks<StudentsAsked>) => {
  const all = db
    .selectFrom('students')
    .where('status', '=', status)
    .$if(term !== undefined, (students) => students.where(sql<boolean>`strpos(busca, ${term!}) > 0`));
  return details(db, now)
    .select(all.select(sql<number>`count(*)::int`.as('n')).as('total'))
    .where('s.id', 'in', all.select('id'))
    .$if(cursor !== undefined, (students) =>
      students.where(sql<boolean>`(s.busca, s.id) > (select busca, id from students where id = ${cursor!})`),
    )
    .orderBy('s.busca')
    .orderBy('s.id')
    .limit(limit)
    .compile();
});

const byId = statement((db, { id, now }: Blanks<{ id: string; now: Date }>) =>
  details(db, now).where('s.id', '=', id).where('s.status', '<>', 'removed').compile(),
);

/** Students with their plan and the credits that are valid at `now`. */
function details(db: Kysely<DB>, now: RawBuilder<Date>) {
  return db
    .selectFrom('students as s')
    .leftJoin('plans as p', (join) =>
      join.onRef('p.tenant_id', '=', 's.tenant_id').onRef('p.id', '=', 's.plano_id'),
    )
    .select([
      's.id',
      's.status',
      's.nome',
      's.telefone',
      's.whatsapp',
      's.email',
      's.observacoes',
      's.criado_em',
    ])
    .select([
      'p.id as plano_id',
      'p.nome as plano_nome',
      'p.creditos as plano_creditos',
      'p.valor as plano_valor',
    ])
    .select(
      sql<number>`(select coalesce(sum(l.restante), 0)::int from credit_lot_balances l
        where l.tenant_id = s.tenant_id and l.student_id = s.id and l.restante > 0
          and (l.expires_at is null or l.expires_at > ${now}))`.as('creditos'),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof details>['executeTakeFirstOrThrow']>>;

function shown({ plano_id, plano_nome, plano_creditos, plano_valor, ...row }: Row): Student {
  return {
    id: row.id,
    nome: row.nome ?? 'Aluno apagado',
    telefone: row.telefone,
    whatsapp: row.whatsapp,
    email: row.email,
    plano_id,
    plano:
      plano_id === null
        ? null
        : { id: plano_id, nome: plano_nome!, creditos: plano_creditos!, valor: plano_valor! },
    observacoes: row.observacoes,
    creditos: row.creditos,
    arquivado: row.status === 'archived',
    esquecido: row.nome === null,
    criado_em: new Date(row.criado_em).toISOString(),
  };
}

/** Search term for the column `busca`. Digits without letters match part of a phone, whatever its punctuation. */
export function searchedFor(q: string): string {
  return /\p{L}/u.test(q) || !/\d/.test(q) ? searchable(q) : q.replace(/\D/g, '');
}
