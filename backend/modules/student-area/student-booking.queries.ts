import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { Problem } from '../../platform/http/problem.js';
import { ListFreeStarts } from '../public-link/free-starts.queries.js';
import { type BookingSettings, defaultBooking, type OwnTimes } from './student-booking.api.js';
import { freeCredits, limitsOf, obstacle } from './student-booking.js';

export class ShowStudentBooking extends Query<BookingSettings> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(ShowStudentBooking)
export class ShowStudentBookingHandler implements IQueryHandler<ShowStudentBooking> {
  constructor(private readonly database: Database) {}

  async execute({ context }: ShowStudentBooking): Promise<BookingSettings> {
    const [row] = await this.database.read(context.tenantId, settings({}));
    return row ?? defaultBooking;
  }
}

const settings = statement((db) =>
  db
    .selectFrom('student_booking')
    .select(['ativo', 'dias', 'duracao_min', 'intervalo_min', 'antecedencia_min', 'abertas', 'exige_credito'])
    .compile(),
);

/** When the student who asks may have a session, or have that one. */
export class ShowOwnTimes extends Query<OwnTimes> {
  constructor(
    readonly context: RequestContext,
    readonly sessao: string | null,
  ) {
    super();
  }
}

const DAY_MS = 86_400_000;
const why = { booking_off: 'fechada', too_many_open: 'limite', no_credit: 'sem_creditos' } as const;

@QueryHandler(ShowOwnTimes)
export class ShowOwnTimesHandler implements IQueryHandler<ShowOwnTimes> {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ context, sessao }: ShowOwnTimes): Promise<OwnTimes> {
    const now = this.clock.now();
    const set = await this.queries.execute(new ShowStudentBooking(context));
    const until = new Date(now.getTime() + (set.dias + 1) * DAY_MS);
    const asked = { studentId: context.studentId!, sessao, now, until };
    const [row] = await this.database.read(context.tenantId, standing(asked));
    const { saldo, minutos, locais, bloqueado, ...ahead } = row!;
    if (sessao !== null && minutos === null) throw new Problem('agenda.session_not_found');
    const found = obstacle(set, saldo, ahead);
    const situacao = sessao === null && found ? why[found] : 'livre';
    const limits = { ...limitsOf(set), ...(minutos !== null && { duracao_min: minutos }) };
    const isShown = situacao === 'livre' && !bloqueado;
    return {
      ...{ situacao, creditos_livres: freeCredits(set, saldo, ahead), locais },
      ...{ abertas: ahead.proprias, limite: set.abertas },
      horarios: isShown ? await this.queries.execute(new ListFreeStarts(context, limits, sessao)) : [],
    };
  }
}

interface Standing {
  saldo: number;
  agendadas: number;
  proprias: number;
  /** Length of the session that is to be moved; null where it is not the student's, or cannot be. */
  minutos: number | null;
  locais: { id: string; nome: string }[];
  /** The trainer lets the student book nothing. */
  bloqueado: boolean;
}

interface Asked {
  studentId: string;
  sessao: string | null;
  now: Date;
  until: Date;
}

/** Credits, what is ahead, and where sessions take place. */
const standing = statement((db, { studentId, sessao, now, until }: Blanks<Asked>) =>
  sql<Standing>`select
    (select coalesce(sum(restante), 0)::int from credit_lot_balances where student_id = ${studentId}
      and (expires_at is null or expires_at > ${now}::timestamptz)) as saldo,
    (select count(*)::int from sessions where student_id = ${studentId} and status = 'agendada' and confirmado and not deleted
      and inicio > ${now}::timestamptz and inicio < ${until}::timestamptz) as agendadas,
    (select count(*)::int from sessions s where student_id = ${studentId} and status = 'agendada' and not deleted
      and inicio > ${now}::timestamptz and exists (select from events e where e.tenant_id = s.tenant_id
        and e.stream_id = 'session-request:' || s.id and e.type = 'SessionChangedByStudent'
        and e.data->>'pedido' = 'agendar' and e.data->>'student_id' = s.student_id::text)) as proprias,
    (select (extract(epoch from fim - inicio) / 60)::int from sessions where id = ${sessao}::uuid
      and student_id = ${studentId} and status = 'agendada' and not deleted and grupo_id is null) as minutos,
    coalesce((select json_agg(json_build_object('id', id, 'nome', nome) order by busca, id) from locations
      where status = 'existing' and is_active and nome is not null), '[]') as locais,
    coalesce((select bloqueados ? ${studentId}::text from public_links), false) as bloqueado`.compile(db),
);
