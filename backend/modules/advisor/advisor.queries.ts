import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type { Days } from './days.js';
import type { Named } from './names.js';
import {
  type Absences,
  type Late,
  type Missing,
  MISSED_DAYS,
  MOST_NAMED,
  type OwedLessons,
  type Payers,
} from './people-answers.js';

/**
 * Maximum of students whose names are recognised in a question: as many as one import may create, so that no name is
 * unknown.
 */
const MOST_KNOWN = 5000;

/** The names of students. */
export class ListNames extends Query<Named[]> {
  constructor(
    readonly context: RequestContext,
    readonly status: 'active' | 'archived' | 'removed' = 'active',
  ) {
    super();
  }
}

@QueryHandler(ListNames)
export class ListNamesHandler implements IQueryHandler<ListNames> {
  constructor(private readonly database: Database) {}

  execute({ context, status }: ListNames): Promise<Named[]> {
    return this.database.read(context.tenantId, names({ status }));
  }
}

const names = statement((db, { status }: Blanks<{ status: string }>) =>
  sql<Named>`select id, nome from students where nome is not null and status = ${status}
    order by busca, id limit ${sql.lit(MOST_KNOWN)}`.compile(db),
);

/** Whose receitas of some days there are, those who paid most first. */
export class ListPayers extends Query<Payers> {
  constructor(
    readonly context: RequestContext,
    readonly days: Days,
  ) {
    super();
  }
}

@QueryHandler(ListPayers)
export class ListPayersHandler implements IQueryHandler<ListPayers> {
  constructor(private readonly database: Database) {}

  async execute({ context, days: { de, ate } }: ListPayers): Promise<Payers> {
    const rows = await this.database.read(context.tenantId, payers({ de, ate }));
    return {
      quantos: rows[0]?.quantos ?? 0,
      alunos: rows.map(({ id, nome, soma }) => ({ id, nome, soma })),
    };
  }
}

interface PayerRow {
  id: string;
  nome: string | null;
  soma: number;
  quantos: number;
}

const payers = statement((db, { de, ate }: Blanks<Days>) =>
  sql<PayerRow>`select s.id, s.nome, sum(t.valor)::bigint as soma, count(*) over ()::int as quantos
    from transactions t
    left join charge_payments c on c.tenant_id = t.tenant_id and c.id = t.id
    join students s on s.tenant_id = t.tenant_id and s.id = coalesce(t.student_id, c.student_id)
    where t.tipo = 'receita' and t.data between ${de}::date and ${ate}::date
    group by s.id, s.nome, s.busca
    having sum(t.valor) > 0
    order by soma desc, s.busca, s.id limit ${sql.lit(MOST_NAMED)}`.compile(db),
);

/** Who owes charges that were due on a day or before, the oldest first. */
export class ListLate extends Query<Late> {
  constructor(
    readonly context: RequestContext,
    readonly ate: string,
  ) {
    super();
  }
}

@QueryHandler(ListLate)
export class ListLateHandler implements IQueryHandler<ListLate> {
  constructor(private readonly database: Database) {}

  async execute({ context, ate }: ListLate): Promise<Late> {
    const rows = await this.database.read(context.tenantId, late({ ate }));
    return {
      ...{ total: rows[0]?.total ?? 0, quantos: rows[0]?.quantos ?? 0 },
      alunos: rows.map(({ id, nome, falta, desde }) => ({ id, nome, falta, desde })),
    };
  }
}

interface LateRow {
  id: string;
  nome: string | null;
  falta: number;
  desde: string;
  total: number;
  quantos: number;
}

const late = statement((db, { ate }: Blanks<{ ate: string }>) =>
  sql<LateRow>`select s.id, s.nome, sum(c.valor - c.pago)::bigint as falta, min(c.vencimento) as desde,
      (sum(sum(c.valor - c.pago)) over ())::bigint as total, count(*) over ()::int as quantos
    from charges c join students s on s.tenant_id = c.tenant_id and s.id = c.student_id
    where c.status = 'aberta' and c.vencimento <= ${ate}::date
    group by s.id, s.nome, s.busca
    order by desde, s.busca, s.id limit ${sql.lit(MOST_NAMED)}`.compile(db),
);

/** Who did not show up for sessions of some days, those who did most often first. */
export class ListAbsences extends Query<Absences> {
  constructor(
    readonly context: RequestContext,
    readonly days: Days,
    readonly studentId?: string,
  ) {
    super();
  }
}

@QueryHandler(ListAbsences)
export class ListAbsencesHandler implements IQueryHandler<ListAbsences> {
  constructor(private readonly database: Database) {}

  async execute({ context, days: { de, ate }, studentId }: ListAbsences): Promise<Absences> {
    const asked = { de, ate, zone: context.timezone, studentId: studentId ?? null };
    const rows = await this.database.read(context.tenantId, absences(asked));
    return {
      quantos: rows[0]?.quantos ?? 0,
      alunos: rows.map(({ id, nome, faltas }) => ({ id, nome, faltas })),
    };
  }
}

interface AbsenceRow {
  id: string;
  nome: string | null;
  faltas: number;
  quantos: number;
}

const absences = statement(
  (db, { de, ate, zone, studentId }: Blanks<Days & { zone: string; studentId: string | null }>) =>
    sql<AbsenceRow>`select s.id, s.nome, count(*)::int as faltas, count(*) over ()::int as quantos
    from sessions e join students s on s.tenant_id = e.tenant_id and s.id = e.student_id
    where not e.deleted and e.status = 'cancelada' and e.motivo = 'falta'
      and e.inicio >= ${de}::date::timestamp at time zone ${zone}::text
      and e.inicio < (${ate}::date + 1)::timestamp at time zone ${zone}::text
      and (${studentId}::uuid is null or s.id = ${studentId}::uuid)
    group by s.id, s.nome, s.busca
    order by faltas desc, s.busca, s.id limit ${sql.lit(MOST_NAMED)}`.compile(db),
);

/** Sessions that are paid and still to be given: valid credits. */
export class SumOwedLessons extends Query<OwedLessons> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(SumOwedLessons)
export class SumOwedLessonsHandler implements IQueryHandler<SumOwedLessons> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context }: SumOwedLessons): Promise<OwedLessons> {
    const rows = await this.database.read(context.tenantId, owedLessons({ now: this.clock.now() }));
    const [first] = rows;
    return {
      total: first?.total ?? 0,
      quantos: first?.quantos ?? 0,
      alunos: rows.map(({ id, nome, creditos }) => ({ id, nome, creditos })),
    };
  }
}

interface OwedRow {
  id: string;
  nome: string | null;
  creditos: number;
  total: number;
  quantos: number;
}

const owedLessons = statement((db, { now }: Blanks<{ now: Date }>) =>
  sql<OwedRow>`select s.id, s.nome, sum(l.restante)::int as creditos,
      sum(sum(l.restante)) over ()::int as total, count(*) over ()::int as quantos
    from credit_lot_balances l join students s on s.tenant_id = l.tenant_id and s.id = l.student_id
    where l.restante > 0 and (l.expires_at is null or l.expires_at > ${now}::timestamptz) and s.status = 'active'
    group by s.id, s.nome, s.busca
    order by creditos desc, s.busca, s.id limit ${sql.lit(MOST_NAMED)}`.compile(db),
);

/** Active students without a recent or future session. */
export class ListMissing extends Query<{ items: Missing[]; hasMore: boolean }> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(ListMissing)
export class ListMissingHandler implements IQueryHandler<ListMissing> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context }: ListMissing): Promise<{ items: Missing[]; hasMore: boolean }> {
    const asked = { now: this.clock.now(), zone: context.timezone };
    const rows = await this.database.read(context.tenantId, missing(asked));
    return { items: rows.slice(0, MOST_NAMED), hasMore: rows.length > MOST_NAMED };
  }
}

/** Without students who were registered recently, or are paused. */
const missing = statement((db, { now, zone }: Blanks<{ now: Date; zone: string }>) =>
  sql<Missing>`select s.id, s.nome, (max(e.fim) at time zone ${zone}::text)::date::text as ultima
    from students s
    left join sessions e on e.tenant_id = s.tenant_id and e.student_id = s.id and not e.deleted and e.status = 'feita'
    where s.status = 'active' and s.nome is not null
      and s.criado_em < ${now}::timestamptz - make_interval(days => ${sql.lit(MISSED_DAYS)})
      and not exists (select from sessions f where f.tenant_id = s.tenant_id and f.student_id = s.id and not f.deleted
        and (f.status = 'feita' and f.fim >= ${now}::timestamptz - make_interval(days => ${sql.lit(MISSED_DAYS)})
          or f.status = 'agendada' and f.fim >= ${now}::timestamptz))
      and not exists (select from student_pauses u where u.tenant_id = s.tenant_id and u.id = s.id
        and u.ate >= (${now}::timestamptz at time zone ${zone}::text)::date)
    group by s.id, s.nome, s.busca
    order by max(e.fim) desc nulls last, s.busca, s.id limit ${sql.lit(MOST_NAMED + 1)}`.compile(db),
);
