import { expect, it } from '@jest/globals';
import { providerTxid } from '../../backend/modules/charges/provider-code.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';
import { startPixProvider } from '../support/pix-provider.js';
import { openStage } from './harness/stage.js';
import { openWire } from './harness/wire.js';

const QUEUES = ['outgoing', 'reactions', 'schedules'];

it('a worker killed after the call to the provider and before recording it leaves one code and one payment', async () => {
  const stage = await openStage({ apis: 0, workers: 0, trainers: 0 });
  const provider = await startPixProvider();
  const env = { PIX_TEST_ORIGIN: provider.origin };
  // Reactions follow events only from a worker's first start on.
  await (await stage.start('worker', { env })).end('SIGTERM');
  const api = await stage.start('api', { env });
  stage.apis.push(api);
  const trainer = await signUp(api);
  const account = provider.account();
  await trainer.api.put('/settings/pix', { tipo: 'email', chave: 'a@b.co', nome: 'A', cidade: 'B' });
  await trainer.api.put('/settings/pix/provider', {
    url_api: provider.urlApi,
    url_token: provider.urlToken,
    certificado: null,
    chave_privada: null,
    client_id: account.clientId,
    client_secret: account.clientSecret,
  });
  const student = (await trainer.api.post('/students', { nome: 'Ana', telefone: '11943214321' })).body.id;
  const terms = { descricao: 'Pacote', valor: 60_000, vencimento: '2030-01-07' };
  const id: string = (await trainer.api.post('/charges', { student_id: student, ...terms })).body.id;
  const txid = providerTxid(id, 0);

  const events = async (type: string) =>
    (
      await stage.database.query('select from events where tenant_id = $1 and type = $2', [
        trainer.tenantId,
        type,
      ])
    ).length;
  /** The jobs and the charge of a killed worker stay claimed for a while: release them, and start the work without a sweep. */
  const beginAnew = async () => {
    await stage.database.query('delete from bullmq.job where queue = any($1)', [QUEUES]);
    await stage.database.query('update pix_code_turns set proxima_em = now()');
    await trainer.api.post('/settings/pix/provider/test');
  };
  const killAtRecordAfter = async (happened: () => boolean) => {
    await beginAnew();
    const wire = await openWire(stage.database);
    const held = wire.hold('before', ({ sql }) => sql.includes('record_command') && happened());
    const worker = await stage.start('worker', { env, database: wire.database, becomesReady: false });
    await held;
    await worker.end('SIGKILL');
  };

  await killAtRecordAfter(() => provider.asked.includes(`PUT /cob/${txid}`));
  expect([await events('PixCodeMade'), account.cobs.size]).toEqual([0, 1]);
  await beginAnew();
  const second = await stage.start('worker', { env });
  await eventually(() => events('PixCodeMade'), 1);
  expect([...account.cobs.keys()]).toEqual([txid]);
  await second.end('SIGTERM');

  provider.pay(account, txid);
  provider.asked = [];
  await killAtRecordAfter(() => provider.asked.includes(`GET /cob/${txid}`));
  expect(await events('PixArrived')).toBe(0);
  await beginAnew();
  stage.workers.push(await stage.start('worker', { env }));
  await eventually(() => events('PixCodeEnded'), 1);
  expect([await events('PixArrived'), await events('ChargePaid'), await events('PixCodeMade')]).toEqual([
    1, 1, 1,
  ]);
  await stage.check();
});
