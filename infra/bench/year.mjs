import { randomBytes } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { Chance } from '../demo/chance.mjs';
import { names, newAccount } from '../demo/people.mjs';
import { backendModule } from '../start/database.mjs';
import { ExpectedError } from '../start/expected-error.mjs';
import { GUARDS, HASHES, IDLE, SAME_GUARDS, SNAPSHOTS, WORK } from './year-sql.mjs';
import { contextOf } from './trainers.mjs';

/** Students of each trainer; each trains twice a week. */
const STUDENTS = 20;
/** Number of all trainers; only as many of them have sessions as the wanted number of events needs. */
const SIGNED_UP = 100_000;
/** Number of trainers whose work is written by one statement. */
const AT_ONCE = 50;

/** A statement writes hundreds of thousands of rows: sort in memory. No synchronous commit, since a crash starts it all over. */
const BULK = `set statement_timeout = 0; set work_mem = '128MB'; set synchronous_commit = off`;

/** Number of a trainer's events: past sessions are booked, done and use a credit, future ones booked; ten are paid at once. */
const eventsOf = (weeks) => STUDENTS * (2 * (3 * weeks + 2) + 2 * Math.ceil(weeks / 5)) + weeks;

/**
 * Fills an empty database: with a year's work of as many trainers as are needed for `events`, and other trainers who only
 * signed up; without `events`, with four weeks of 64 trainers. The application's commands create the businesses; SQL writes
 * their sessions to the log and the guards, with the hashes that commands would have made. Then the read tables are rebuilt.
 */
export async function fillYear(stage, environment, events) {
  const weeks = events ? 52 : 4;
  const count = events ? Math.ceil(events / eventsOf(weeks)) : 64;
  const owner = await ownerPool(environment, 2);
  try {
    if (events) await owner.query(IDLE, [SIGNED_UP - count]);
    const businesses = await openBusinesses(stage, environment, owner, count);
    const chunks = [];
    while (businesses.length > 0) chunks.push(businesses.splice(0, AT_ONCE));
    let written = 0;
    const writer = async () => {
      for (let chunk = chunks.pop(); chunk; chunk = chunks.pop()) {
        await writeWork(owner, chunk, weeks);
        written += chunk.length;
        tell(`${written} de ${count} personais com ${weeks} semanas de trabalho`);
      }
    };
    await Promise.all([writer(), writer()]);
    await owner.query(SAME_GUARDS);
    await owner.query('vacuum analyze');
    const { seconds } = await stage.rebuild(environment, []);
    tell(`leituras reconstruídas em ${Math.round(seconds)} s`);
    // Reactions begin after this work, as they would on a server that was running while it was done.
    await owner.query('truncate reaction_sweep, reaction_checkpoint, reaction');
    await owner.query('vacuum analyze');
    await owner.query('create schema bench; create table bench.filled_year as select now() as at');
  } finally {
    await owner.end();
  }
}

/** Whether `fillYear` has filled the database completely. */
export async function isFilled(environment) {
  const owner = await ownerPool(environment, 1);
  try {
    const { rows } = await owner.query(
      `select to_regclass('bench.filled_year') is not null as filled, exists (select from events) as begun`,
    );
    if (rows[0].begun && !rows[0].filled)
      throw new ExpectedError('o banco da medida ficou pela metade: apague a pasta dele.');
    return rows[0].filled;
  } finally {
    await owner.end();
  }
}

/**
 * Some of the trainers with sessions: `[{ tenantId, token, students: [id], scheduled: [session id], freeFrom }]`.
 * `scheduled`: those that have begun. `freeFrom`: end of the last entry in the agenda, in ms since 1970.
 */
export async function trainersFor(app, environment, count) {
  const { AccessTokens } = await backendModule('modules/accounts/sessions/access-tokens.service.js');
  const owner = await ownerPool(environment, 1);
  const { rows } = await owner.query(
    `select tenant_id, to_jsonb(u) as person, s.id as session_id,
       (select array_agg(id) from students st where st.tenant_id = m.tenant_id) as students,
       (select coalesce(array_agg(id), '{}') from sessions e where e.tenant_id = m.tenant_id and e.status = 'agendada'
          and e.inicio < now()) as scheduled,
       (select max(fim) from sessions e where e.tenant_id = m.tenant_id) as free_from
     from memberships m join auth.users u on u.id = m.user_id join auth.sessions s on s.user_id = u.id
     where exists (select from students st where st.tenant_id = m.tenant_id)
     order by random() limit $1`,
    [count],
  );
  await owner.end();
  return Promise.all(
    rows.map(async ({ tenant_id, person, session_id, students, scheduled, free_from }) => {
      const session = { id: session_id, amr: [], factor_id: null, passkey_id: null };
      const { access_token } = await app.get(AccessTokens).issue(person, session);
      return { tenantId: tenant_id, token: access_token, students, scheduled, freeFrom: +free_from };
    }),
  );
}

async function ownerPool(environment, max) {
  const { createPool } = await backendModule('platform/database/pools.js');
  const pool = createPool(environment.DATABASE_OWNER_URL, {
    max,
    searchPath: 'public,read',
    applicationName: 'bench',
  });
  pool.on('connect', (client) => void client.query(`${BULK}; ${HASHES}`));
  return pool;
}

async function openBusinesses(stage, environment, owner, count) {
  const app = await stage.app(environment, 'api');
  const { EventStore } = await backendModule('platform/event-store/event-store.js');
  app.get(EventStore).projections.add = () => undefined;
  const businesses = [];
  while (businesses.length < count) {
    const some = Math.min(AT_ONCE, count - businesses.length);
    businesses.push(...(await Promise.all(Array.from({ length: some }, () => openBusiness(app, owner)))));
    tell(`${businesses.length} de ${count} personais cadastrados`);
  }
  await app.close();
  return businesses;
}

/** Signs a trainer up, with a plan, a location and students. */
async function openBusiness(app, owner) {
  const [{ SignUps }, { AddLocation }, { CreatePlan }, { RegisterStudent }] = await Promise.all(
    [
      'modules/accounts/auth/sign-up.service.js',
      'modules/locations/locations.commands.js',
      'modules/plans/plans.commands.js',
      'modules/enrolment/enrolment.commands.js',
    ].map(backendModule),
  );
  const account = newAccount('Personal de Carga');
  const { user } = await app.get(SignUps).register({
    ...account,
    requestId: 'bench',
    device: {
      requestId: 'bench',
      userAgent: null,
      address: null,
      key: null,
      remember: () => randomBytes(32),
    },
  });
  const { rows } = await owner.query(
    `select m.tenant_id, m.user_id, s.id as session_id from memberships m join auth.sessions s using (user_id)
     where user_id = $1`,
    [user.id],
  );
  const [business] = rows;
  const record = async (Command, fields) => {
    const command = new Command({ ...contextOf(business.tenant_id), userId: user.id }, fields);
    return (await app.get(CommandBus).execute(command)).answer.id;
  };
  const plan_id = await record(CreatePlan, {
    nome: 'Dez aulas',
    descricao: null,
    valor: 90_000,
    creditos: 10,
    validade_dias: null,
    tipo: 'pacote',
  });
  const location_id = await record(AddLocation, {
    nome: 'Academia',
    endereco: 'Rua Direita, 10',
    cep: null,
    is_active: true,
    deslocamentos: [],
  });
  const people = names(new Chance(parseInt(user.id, 16)), STUDENTS);
  const students = people.map((nome) =>
    record(RegisterStudent, {
      nome,
      telefone: '+5511987654321',
      whatsapp: '+5511987654321',
      email: 'aluna@example.com',
      plano_id: plan_id,
      observacoes: 'Prefere treinar cedo.',
    }),
  );
  return { ...business, plan_id, location_id, students: await Promise.all(students) };
}

async function writeWork(owner, businesses, weeks) {
  await owner.query(WORK, [JSON.stringify(businesses), weeks]);
  const tenants = businesses.map(({ tenant_id }) => tenant_id);
  for (const guard of GUARDS) await owner.query(guard, [tenants]);
  const { creditAccount } = await backendModule('modules/credits/credit-account.js');
  await owner.query(SNAPSHOTS, [tenants, creditAccount.fold]);
}

function tell(text) {
  console.error(`Rende: ${text}`);
}
