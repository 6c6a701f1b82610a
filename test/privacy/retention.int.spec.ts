import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { expect, it } from '@jest/globals';
import { LeaveTenant } from '../../backend/modules/accounts/leaving.commands.js';
import { endRetentions } from '../../backend/modules/privacy/privacy.module.js';
import type { ForgetPreview } from '../../backend/modules/privacy/privacy.api.js';
import type { Aggregate } from '../../backend/platform/event-store/aggregate.js';
import { Audit } from '../../backend/platform/event-store/audit.js';
import { EventCodec } from '../../backend/platform/event-store/event-codec.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { GuardRebuild } from '../../backend/platform/event-store/guard-rebuild.js';
import { type Feature, FeatureRegistry } from '../../backend/platform/features.js';
import { rowProjection } from '../../backend/platform/projections/projection.js';
import { contextOf } from '../platform/platform.js';
import { caughtUp } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { connect, testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';

interface SlipIssued {
  type: 'SlipIssued';
  data: { slip_id: string; student_id: string; pagador: string; observacoes: string | null; ate: string };
}

/** A receipt: the payer is retained by law, the note beside it is deleted with the student. */
const receipt: Aggregate<object, SlipIssued> = {
  name: 'slip',
  initialState: {},
  evolve: (state) => state,
  events: {
    SlipIssued: {
      schemaVersion: 1,
      uses: ({ student_id }) => ({ student: student_id }),
      personal: [
        { person: ({ student_id }) => student_id, fields: ['observacoes'] },
        {
          person: ({ student_id }) => student_id,
          fields: ['pagador'],
          retention: {
            name: 'slips',
            what: 'Recibos',
            why: 'a lei manda guardar por cinco anos',
            until: ({ ate }) => ate,
          },
        },
      ],
    },
  },
};

const receipts = rowProjection<{ pagador: string | null; observacoes: string | null }, SlipIssued>({
  name: 'slips',
  topic: 'slips',
  table: 'slips',
  events: ['SlipIssued'],
  keys: ({ data }) => [data.slip_id],
  evolve: (_row, { data: { pagador, observacoes } }) => ({ pagador, observacoes }),
});

@Module({})
class ReceiptsModule {
  static readonly feature: Feature = { aggregates: [receipt], projections: [receipts] };
}

class IssueReceipt {
  constructor(readonly context: ReturnType<typeof contextOf>) {}
}

it('data retained by law outlives a forgotten student until its term ends, and is announced before', async () => {
  const database = await testDatabase();
  await database.query(`
    set role rende_owner;
    create table read.slips (tenant_id uuid, id uuid, pagador text, observacoes text, primary key (tenant_id, id));
    select prepare_read_table('read.slips');
    reset role;
  `);
  const clock = new SetClock(new Date());
  const app = await startApp({ modules: [ReceiptsModule], clock });
  const { api, tenantId, userId } = await signUp(app);
  const { api: stranger } = await signUp(app);
  const student = (await api.post('/students', { nome: 'Wandréia', telefone: '11987651234' })).body.id;
  const issue = (ate: string) => {
    const data = {
      slip_id: randomUUID(),
      student_id: student,
      pagador: 'Wandréia X.',
      observacoes: 'hérnia',
      ate,
    };
    return app.nest.get(EventStore).transact(new IssueReceipt(contextOf(tenantId)), (tx) => {
      tx.append(receipt, data.slip_id, [{ type: 'SlipIssued', data }]);
      return { id: data.slip_id };
    });
  };
  const year = clock.at.getUTCFullYear();
  await issue(`${year + 4}-12-31`);
  await issue(`${year + 5}-12-31`);
  await issue(`${year + 5}-12-31`);

  expect((await stranger.request('GET', `/api/v1/students/${student}/forget`)).status).toBe(404);
  await api.post('/tasks', { titulo: 'Ligar para a WANDREIA' });
  await api.post('/tasks', { titulo: 'Wandreiana' });
  const told = { o_que: 'Recibos', por_que: 'a lei manda guardar por cinco anos' };
  expect((await api.get<ForgetPreview>(`/students/${student}/forget`)).body).toEqual({
    permanece: [
      { ...told, ate: `${year + 4}-12-31` },
      { ...told, ate: `${year + 5}-12-31` },
    ],
    tarefas: ['Ligar para a WANDREIA'],
  });
  await api.request('DELETE', `/api/v1/students/${student}`).then(({ status }) => expect(status).toBe(409));

  await api.post(`/students/${student}/forget`);
  await caughtUp(database);
  const rows = () => database.query('select pagador, observacoes from read.slips order by pagador');
  const kept = { pagador: 'Wandréia X.', observacoes: null };
  expect(await rows()).toEqual([kept, kept, kept]);

  await app.run(endRetentions.Handler);
  expect(await rows()).toEqual([kept, kept, kept]);

  clock.at = new Date(Date.UTC(year + 5, 0, 2));
  await Promise.all([app.run(endRetentions.Handler), app.run(endRetentions.Handler)]);
  const gone = { pagador: null, observacoes: null };
  expect(await rows()).toEqual([kept, kept, gone]);
  const ended = () => database.query("select from events where type = 'RetentionEnded'");
  expect(await ended()).toHaveLength(1);

  // Later data about a forgotten person is not stored either.
  await issue(`${year + 11}-12-31`);
  // A trainer's deletion of the account ends the business, but not its retentions.
  await app.nest.get(CommandBus).execute(new LeaveTenant({ ...contextOf(tenantId), userId }));
  await caughtUp(database);
  expect(await rows()).toEqual([kept, kept, gone, gone]);
  await expect(issue(`${year + 11}-12-31`)).rejects.toMatchObject({ code: 'not_found' });
  clock.at = new Date(Date.UTC(year + 6, 0, 2));
  await app.run(endRetentions.Handler);
  expect(await rows()).toEqual([gone, gone, gone, gone]);
  expect(await ended()).toHaveLength(2);
  expect(
    await database.query('select from person_keys where tenant_id = $1 and wrapped_key is not null', [
      tenantId,
    ]),
  ).toEqual([]);
  await expectRebuildToEqualLive(app, 'slips');
  const owner = await connect(database.environment.DATABASE_OWNER_URL);
  const codec = app.nest.get(EventCodec);
  const audit = new Audit(new GuardRebuild(app.nest.get(FeatureRegistry), codec), codec);
  expect(await audit.verify(owner, [tenantId])).toEqual([]);
});
