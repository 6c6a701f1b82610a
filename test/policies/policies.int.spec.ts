import { randomUUID } from 'node:crypto';
import { subHours } from 'date-fns';
import { describe, expect, it } from '@jest/globals';
import { session, single } from '../../backend/modules/sessions/session.js';
import type { PolicyPreview } from '../../backend/modules/agenda/policy-preview.api.js';
import type { PolicyPage } from '../../backend/modules/policies/policies.api.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { agendaOf } from '../agenda/trainer.js';
import { contextOf } from '../platform/platform.js';
import { countEvents } from '../support/database.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const app = await sharedApp();
const trainer = await signUp(app);
const location = (await trainer.api.post('/locations', { nome: 'Academia Centro' })).body.id;

const strict = { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true };
const policies = async (query = {}) => (await trainer.api.get<PolicyPage>('/policies', { query })).body;

describe('the cancellation policy of a location', () => {
  it('is 24 hours, no fee and no credit until one is set', async () => {
    expect(await policies()).toEqual({
      items: [
        {
          location_id: location,
          location_nome: 'Academia Centro',
          cancel_limite_horas: 24,
          taxa_percent: 0,
          queima_credito: false,
          padrao: true,
        },
      ],
      next: null,
    });
  });

  it('can be set and changed', async () => {
    await trainer.api.put(`/locations/${location}/policy`, { ...strict, taxa_percent: 100 });
    await trainer.api.put(`/locations/${location}/policy`, strict);
    expect((await policies()).items).toEqual([expect.objectContaining({ ...strict, padrao: false })]);
  });

  it('set to its current terms records nothing', async () => {
    await trainer.api.put(`/locations/${location}/policy`, strict);
    const before = await countEvents();
    await trainer.api.put(`/locations/${location}/policy`, strict);
    expect(await countEvents()).toBe(before);
  });

  it('is listed in the order of the locations, in pages', async () => {
    await trainer.api.post('/locations', { nome: 'Água Branca' });
    const { items, next } = await policies({ limit: 1 });
    expect(items.map(({ location_nome }) => location_nome)).toEqual(['Academia Centro']);
    expect(await policies({ limit: 1, cursor: next })).toMatchObject({
      items: [{ location_nome: 'Água Branca', padrao: true }],
      next: null,
    });
  });

  it.each([
    [{ ...strict, cancel_limite_horas: -1 }, '/cancel_limite_horas'],
    [{ ...strict, cancel_limite_horas: 721 }, '/cancel_limite_horas'],
    [{ ...strict, taxa_percent: 101 }, '/taxa_percent'],
  ])('is refused as %j', async (terms, pointer) => {
    const { body } = await trainer.api.put(`/locations/${location}/policy`, terms, { status: 400 });
    expect(body).toMatchObject({ errors: [{ pointer }] });
  });
});

it('a rebuild gives the same policies', async () => {
  await policies();
  await expectRebuildToEqualLive(app, 'policies');
});

describe('trying a policy', () => {
  const preview = async (id: string, terms: object = {}, status = 200) =>
    (
      await trainer.api.get<PolicyPreview>(`/locations/${id}/policy/preview`, {
        query: { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: 'sim', ...terms },
        status,
      })
    ).body;

  it('shows what past cancellations there would have cost, and changes nothing', async () => {
    const { plan, student, book, cancel } = agendaOf(trainer.api);
    const place = (await trainer.api.post('/locations', { nome: 'Parque' })).body.id;
    expect(await preview(place)).toEqual({ meses: [] });
    const student_id = await student('Ana Souza', await plan({ valor: 30_000, creditos: 4 }));
    const ago = (hours: number) => subHours(new Date(), hours).toISOString();
    const booked = (location_id: string, hours: number) =>
      book({ student_id, location_id, inicio: ago(hours), fim: ago(hours - 1) });
    const [missed, early, own, elsewhere] = [
      ...[await booked(place, 50), await booked(place, 48)],
      ...[await booked(place, 46), await booked(location, 44)],
    ];
    await cancel(missed!, { motivo: 'falta' });
    await cancel(early!, { motivo: 'aluno_no_prazo' });
    await cancel(own!, { motivo: 'personal' });
    await cancel(elsewhere!, { motivo: 'falta' });
    const before = await countEvents();
    const sum = async (terms: object) =>
      (await preview(place, terms)).meses.reduce(
        (all, { cancelamentos, creditos, taxa }) => [
          all[0]! + cancelamentos,
          all[1]! + creditos,
          all[2]! + taxa,
        ],
        [0, 0, 0],
      );
    expect(await sum({})).toEqual([2, 2, 7500]);
    expect(await sum({ queima_credito: 'nao', taxa_percent: 100 })).toEqual([2, 0, 15_000]);
    expect(await countEvents()).toBe(before);
    await preview(randomUUID(), {}, 404);
    await preview(place, { taxa_percent: 101 }, 400);
  });

  it('counts all cancellations, however many there were', async () => {
    const MANY = 1_203;
    const place = (await trainer.api.post('/locations', { nome: 'Estúdio cheio' })).body.id;
    const student_id = (
      await trainer.api.post('/students', { nome: 'Bia Lima', telefone: '(11) 98888-1234' })
    ).body.id;
    const inicio = subHours(new Date(), 30).toISOString();
    const about = { student_id, inicio, fim: subHours(new Date(), 29).toISOString() };
    await app.nest.get(EventStore).transact({ context: contextOf(trainer.tenantId) }, (tx) => {
      for (let n = 0; n < MANY; n += 1) {
        const session_id = randomUUID();
        const booked = { ...about, ...single, session_id, permitir_conflito: true, location_id: place };
        const settled = { credito: 'nenhum', valor: 5_000, taxa: 0 } as const;
        tx.append(session, session_id, [
          {
            type: 'SessionBooked',
            data: { ...booked, timezone: 'America/Sao_Paulo', observacoes: null, confirmado: true },
          },
          {
            type: 'SessionCancelled',
            data: {
              ...{ ...about, ...settled, session_id, de: 'agendada', motivo: 'falta' },
              ...{ politica: null, justificativa: null },
            },
          },
        ]);
      }
      return { id: place };
    });
    // Its answer tells how far the reads have to be.
    await trainer.api.put(`/locations/${place}/policy`, strict);
    const { meses } = await preview(place);
    expect(meses).toEqual([
      expect.objectContaining({ cancelamentos: MANY, creditos: MANY, taxa: MANY * 2_500, sem_valor: 0 }),
    ]);
  });
});
