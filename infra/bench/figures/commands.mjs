import { CommandBus } from '@nestjs/cqrs';
import { backendModule } from '../../start/database.mjs';
import { interleave, line, perSecond } from '../measure.mjs';
import { anyOf, contextOf, openTrainers } from '../trainers.mjs';

const CALLERS = [1, 8, 32];
const HOUR = 3_600_000;
const INSERT = `insert into bench.rows (tenant_id, stream_id, version, type, data, meta, recorded_at)
  values ($1, $2, $3, $4, $5, $6, now())`;

/** The database work of commands, compared with a prepared insert of one row with the same payload. */
export async function commands(stage, { quick }) {
  const [{ EventStore }, { BookSession }, { ConsumeCredit }, { createPool, prepared }] = await Promise.all(
    [
      'platform/event-store/event-store.js',
      'modules/agenda/agenda.commands.js',
      'modules/credits/credits.commands.js',
      'platform/database/pools.js',
    ].map(backendModule),
  );
  const environment = await stage.database();
  const app = await stage.app(environment, 'api');
  // Projections after the commit are measured separately, in visible.mjs.
  app.get(EventStore).projections.add = () => undefined;
  const trainers = await openTrainers(app, 200, quick ? 5 : 20);
  const bus = app.get(CommandBus);
  let hour = Date.UTC(2026, 0, 1) / HOUR;
  const work = {
    book({ tenantId, students }) {
      hour += 1;
      const booking = {
        student_id: anyOf(students),
        inicio: new Date(hour * HOUR).toISOString(),
        fim: new Date((hour + 1) * HOUR).toISOString(),
      };
      return bus.execute(new BookSession(contextOf(tenantId), booking));
    },
    consume({ tenantId, students }) {
      return bus.execute(new ConsumeCredit(contextOf(tenantId), anyOf(students), { motivo: 'Aula avulsa' }));
    },
  };

  const owner = createPool(environment.DATABASE_OWNER_URL, {
    max: Math.max(...CALLERS),
    searchPath: 'public',
    applicationName: 'bench',
  });
  // A kept database has this schema from the previous run.
  await owner.query(`create schema if not exists bench;
    drop table if exists bench.rows; create table bench.rows (id bigint generated always as identity primary key,
    tenant_id uuid not null, stream_id text not null, version integer not null, type text not null,
    data jsonb not null, meta jsonb not null, recorded_at timestamptz not null)`);
  await work.book(anyOf(trainers));
  const { rows } = await owner.query(
    `select tenant_id, stream_id, version, type, data::text, meta::text from events where type = 'SessionBooked'`,
  );
  const payload = Object.values(rows[0]);

  const seconds = quick ? 1 : 2;
  const subjects = {};
  for (const callers of CALLERS) {
    for (const [name, command] of Object.entries(work)) {
      subjects[`${name} ${callers}`] = () => perSecond(callers, seconds, () => command(anyOf(trainers)));
    }
    subjects[`insert ${callers}`] = () =>
      perSecond(callers, seconds, () => owner.query(prepared(INSERT, payload)));
  }
  for (const subject of Object.values(subjects)) await subject();
  const results = await interleave(subjects, quick ? 3 : 7);
  await owner.end();
  await app.close();
  const lines = (name, what) =>
    CALLERS.map((callers) =>
      line(
        `${what}, ${callers} de cada vez`,
        '/s',
        results[`${name} ${callers}`],
        'insert preparado de uma linha',
        results[`insert ${callers}`],
      ),
    );
  return {
    title:
      'Trabalho de um comando no banco: trava, idempotência, leitura, gravação, guarda, resposta (200 personais)',
    lines: [...lines('book', 'agendar'), ...lines('consume', 'usar um crédito')],
  };
}
