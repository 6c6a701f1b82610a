import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ChangeZone } from '../../backend/modules/accounts/zone.commands.js';
import type { PauseChanged, PausePreview } from '../../backend/modules/student-pauses/student-pauses.api.js';
import { fillSeries } from '../../backend/modules/series/series.module.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { eventually } from '../support/eventually.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { seriesOf } from './trainer.js';
import { toldOf } from '../support/history.js';

/** Wednesday 18 November 2026, 6:00 in São Paulo. */
const NOW = new Date(on(18)(6));
const clock = new SetClock(NOW);

let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let series: ReturnType<typeof seriesOf>;
let ana: string;

const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = NOW;
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  series = seriesOf(trainer.api);
  ana = await agenda.student('Ana Souza');
});

/** Tuesdays and Thursdays at 7:00, four weeks from the 24th on: until 17 December. */
const plan = (more: object = {}) => ({
  student_id: ana,
  data: '2026-11-24',
  hora: '07:00',
  duracao: 60,
  dias: [2, 4],
  intervalo: 1,
  vezes: 8,
  ...more,
});
/** Instant of a local time in São Paulo. */
const at = (date: string, time: string) => new Date(`${date}T${time}:00-03:00`).toISOString();
const times = (date: string, from: string, to: string) => ({ inicio: at(date, from), fim: at(date, to) });
/** `24/11 07:00`, with the status unless it is scheduled. */
const said = async () =>
  (await series.sessions()).map(({ inicio, status }) => {
    const local = new Date(Date.parse(inicio) - 3 * 3_600_000).toISOString();
    return `${local.slice(8, 10)}/${local.slice(5, 7)} ${local.slice(11, 16)}${status === 'agendada' ? '' : ` ${status}`}`;
  });
const EIGHT = ['24/11', '26/11', '01/12', '03/12', '08/12', '10/12', '15/12', '17/12'].map(
  (day) => `${day} 07:00`,
);
/** The sessions after them if all eight are on Tuesdays. */
const MORE_TUESDAYS = ['22/12', '29/12', '05/01', '12/01'].map((day) => `${day} 07:00`);

const fill = () => app.run(fillSeries.Handler);

describe('a new series', () => {
  it('books its sessions, and contains the requested pattern', async () => {
    const location = await agenda.location();
    const done = await series.start(plan({ location_id: location, observacoes: 'Joelho' }));
    expect(done).toMatchObject({ sessoes: 8, puladas: 0 });
    expect(await said()).toEqual(EIGHT);
    const [first] = await series.sessions();
    expect(first).toMatchObject({
      serie_id: done.id,
      ocorrencia: '2026-11-24',
      grupo_id: null,
      confirmado: true,
      location_id: location,
      observacoes: 'Joelho',
      student_id: ana,
    });
    expect(await series.get(done.id)).toEqual({
      pode_desfazer: { mudanca_id: done.mudanca_id, tipo: 'criada' },
      id: done.id,
      student_id: ana,
      inicio: '2026-11-24',
      ate: '2026-12-17',
      puladas: [],
      trechos: [
        {
          desde: '2026-11-24',
          dias: [2, 4],
          texto: 'Toda terça e quinta, 7:00',
          rrule: 'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261217T100000Z',
          location_id: location,
        },
      ],
    });
    expect(await toldOf(trainer.api, `student:${ana}`)).toContain(
      'Agendou toda terça e quinta, 7:00, até 17/12/2026: 8 sessões',
    );
    await expectRebuildToEqualLive(app, 'series');
    await expectRebuildToEqualLive(app, 'sessions');
  });

  it('shows the obstacles of each date before, and applies the decision about each', async () => {
    const bia = await agenda.student('Bia Lima');
    await agenda.book({ student_id: bia, ...times('2026-12-03', '07:30', '08:30') });
    await agenda.book({ student_id: bia, ...times('2026-12-08', '06:00', '07:00') });
    await trainer.api.post('/vacations', { start_date: '2026-12-14', end_date: '2026-12-16' });
    await trainer.api.post('/holidays', { nome: 'Festa', data: '2026-12-01', anual: false });
    const { texto, tem_fim, sessoes } = await series.preview(plan());
    expect({ texto, tem_fim }).toEqual({ texto: 'Toda terça e quinta, 7:00, até 17/12/2026', tem_fim: true });
    expect(
      sessoes
        .filter(({ obstaculos }) => obstaculos.length > 0)
        .map(({ data, obstaculos }) => [data, obstaculos]),
    ).toEqual([
      ['2026-12-01', [{ tipo: 'feriado', texto: 'Feriado: Festa' }]],
      ['2026-12-03', [{ tipo: 'ocupado', texto: 'Bia já tem sessão das 7:30 às 8:30' }]],
      ['2026-12-15', [{ tipo: 'ferias', texto: 'Férias de 14/12/2026 a 16/12/2026' }]],
    ]);

    const refused = await agenda.refused(409, 'POST', '/series', plan({ pular: ['2026-12-15'] }));
    expect(refused).toMatchObject({ code: 'series.agenda_changed', datas: ['2026-12-01', '2026-12-03'] });
    expect(await said()).toHaveLength(2);

    const done = await series.start(
      plan({ pular: ['2026-12-15', '2026-12-01'], mesmo_assim: ['2026-12-03'] }),
    );
    expect(done).toMatchObject({ sessoes: 6, puladas: 2 });
    expect((await series.get(done.id)).puladas).toEqual([
      { data: '2026-12-01', motivo: 'feriado' },
      { data: '2026-12-15', motivo: 'ferias' },
    ]);
    expect(await said()).toEqual(
      expect.arrayContaining(['03/12 07:00', '03/12 07:30', '08/12 06:00', '08/12 07:00', '17/12 07:00']),
    );
  });

  it('is undone as a whole', async () => {
    const done = await series.start(plan());
    await series.undo(done);
    expect(await said()).toEqual([]);
    await agenda.refused(404, 'GET', `/series/${done.id}`);
    await series.start(plan());
    expect(await said()).toEqual(EIGHT);
  });

  it.each([
    ['a last day before the first one', { vezes: null, ate: '2026-11-23' }, 422, 'broken_rule'],
    ['two ends', { ate: '2026-12-24' }, 422, 'broken_rule'],
    ['no day', { dias: [] }, 400, 'validation'],
    ['a day twice', { dias: [2, 2] }, 400, 'validation'],
    [
      'no date before its end',
      { vezes: null, data: '2026-11-25', ate: '2026-11-25' },
      422,
      'series.no_dates',
    ],
    ['more sessions than one command creates', { vezes: null, ate: '2028-11-24' }, 422, 'series.too_long'],
    ['every date left out', { vezes: 1, pular: ['2026-11-24'] }, 422, 'series.no_dates'],
    [
      'a student that is none',
      { student_id: '3f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d5e' },
      404,
      'students.not_found',
    ],
  ])('is refused with %s', async (_what, fields, status, code) => {
    expect((await agenda.refused(status, 'POST', '/series', plan(fields))).code).toBe(code);
    expect(await said()).toEqual([]);
  });
});

describe('a change', () => {
  const session = async (day: string) =>
    (await series.sessions()).find(({ ocorrencia }) => ocorrencia === day)!.id;

  it('of one session and later ones moves these, and is undone', async () => {
    const { id } = await series.start(plan());
    const done = await series.change(
      await session('2026-12-08'),
      'proximas',
      times('2026-12-08', '08:00', '09:30'),
    );
    expect(done).toMatchObject({ id, sessoes: 4, puladas: 0 });
    const after = [...EIGHT.slice(0, 4), '08/12 08:00', '10/12 08:00', '15/12 08:00', '17/12 08:00'];
    expect(await said()).toEqual(after);
    expect((await series.get(id)).trechos.map(({ desde, texto, rrule }) => [desde, texto, rrule])).toEqual([
      ['2026-11-24', 'Toda terça e quinta, 7:00', 'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261203T100000Z'],
      ['2026-12-08', 'Toda terça e quinta, 8:00', 'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261217T110000Z'],
    ]);
    await series.undo(done);
    expect(await said()).toEqual(EIGHT);
    expect((await series.get(id)).trechos).toHaveLength(1);
    expect(
      (await agenda.refused(409, 'POST', `/series/${id}/undo`, { mudanca_id: done.mudanca_id })).code,
    ).toBe('series.cannot_undo');
  });

  it('of all moves them to other weekdays, except sessions that were moved alone, are done or past', async () => {
    await series.start(plan());
    await agenda.patch(await session('2026-12-03'), times('2026-12-04', '10:00', '11:00'));
    clock.at = new Date(on(26)(6));
    await agenda.complete(await session('2026-11-26'));
    await series.change(await session('2026-12-08'), 'todas', times('2026-12-07', '07:00', '08:00'));
    expect(await said()).toEqual([
      '24/11 07:00',
      '26/11 07:00 feita',
      '30/11 07:00',
      '04/12 10:00',
      '07/12 07:00',
      '09/12 07:00',
      '14/12 07:00',
      '16/12 07:00',
    ]);
  });

  it('of location and notes affects the sessions that were not changed alone', async () => {
    const [park, gym] = [await agenda.location(), await agenda.location('Academia')];
    await series.start(plan({ vezes: 3, location_id: park, observacoes: 'Joelho' }));
    await agenda.patch(await session('2026-11-26'), { observacoes: 'Só esta' });
    const done = await series.change(await session('2026-11-24'), 'todas', {
      location_id: gym,
      observacoes: null,
    });
    const shown = async () =>
      (await series.sessions()).map(({ location_id, observacoes }) => [location_id, observacoes]);
    expect(await shown()).toEqual([
      [gym, null],
      [gym, 'Só esta'],
      [gym, null],
    ]);
    await series.undo(done);
    expect(await shown()).toEqual([
      [park, 'Joelho'],
      [park, 'Só esta'],
      [park, 'Joelho'],
    ]);
  });

  it('of notes is not undone over those that one session got afterwards', async () => {
    await series.start(plan({ vezes: 3, observacoes: 'Joelho' }));
    const changed = await session('2026-11-24');
    const done = await series.change(changed, 'todas', { observacoes: 'Ombro' });
    await agenda.patch(changed, { observacoes: 'Avaliação física' });
    const undo = { mudanca_id: done.mudanca_id };
    const refusal = await agenda.refused(409, 'POST', `/series/${done.id}/undo`, undo);
    expect(refusal).toMatchObject({
      code: 'series.cannot_undo',
      detail: expect.stringMatching(/^Uma das sessões foi alterada depois\./),
    });
    expect((await agenda.get(changed)).observacoes).toBe('Avaliação física');
    // Sessions that the change did not affect may have changed since.
    await agenda.patch(changed, { observacoes: 'Ombro', location_id: await agenda.location() });
    await series.undo(done);
    expect((await agenda.get(changed)).observacoes).toBe('Joelho');
  });

  it('that does not fit everywhere is refused, until the others are decided on', async () => {
    const bia = await agenda.student('Bia Lima');
    await series.start(plan({ vezes: 4 }));
    await agenda.book({ student_id: bia, ...times('2026-12-01', '08:30', '09:30') });
    const first = await session('2026-11-24');
    const body = { escopo: 'todas', ...times('2026-11-24', '08:00', '09:00') };
    expect(await agenda.refused(409, 'PATCH', `/sessions/${first}/series`, body)).toMatchObject({
      code: 'series.times_taken',
      detail: '1 de 4 não cabem no novo horário: 01/12/2026 (Já há sessão das 8:30 às 9:30).',
    });
    const kept = await series.change(first, 'todas', { ...body, impedidas: 'manter' });
    expect(kept).toMatchObject({ sessoes: 3, puladas: 1 });
    expect(await said()).toEqual(['24/11 08:00', '26/11 08:00', '01/12 07:00', '01/12 08:30', '03/12 08:00']);
    await series.undo(kept);
    await series.change(first, 'todas', { ...body, impedidas: 'mudar' });
    expect(await said()).toEqual(['24/11 08:00', '26/11 08:00', '01/12 08:00', '01/12 08:30', '03/12 08:00']);
  });

  it('by a day of a daily series moves sessions to places that others of it leave', async () => {
    const done = await series.start(plan({ dias: [0, 1, 2, 3, 4, 5, 6], vezes: 5 }));
    await series.change(await session('2026-11-24'), 'todas', times('2026-11-25', '07:30', '08:30'));
    expect(await said()).toEqual(['25', '26', '27', '28', '29'].map((day) => `${day}/11 07:30`));
    expect((await series.get(done.id)).trechos[0]!.texto).toBe('Todo dia, 7:30');
    await series.change(await session('2026-11-24'), 'todas', times('2026-11-23', '08:00', '09:00'));
    expect(await said()).toEqual(['23', '24', '25', '26', '27'].map((day) => `${day}/11 08:00`));
  });

  it('also affects sessions that were booked in another time zone', async () => {
    await series.start(plan());
    await trainer.api.put('/settings/timezone', { fuso_horario: 'America/Manaus' });
    const [first] = await series.sessions();
    const done = await series.change(first!.id, 'todas', times('2026-11-24', '10:00', '11:00'));
    expect(done).toMatchObject({ sessoes: 8, puladas: 0 });
    expect(await said()).toEqual(EIGHT.map((one) => one.replace('07:00', '10:00')));
    await series.undo(done);
    expect(await said()).toEqual(EIGHT);
  });

  it('continues at the same instants after the trainer changed the time zone, with the new local time', async () => {
    const { id } = await series.start(plan({ vezes: undefined }));
    const instants = async () => (await series.sessions()).map(({ inicio }) => inicio);
    const before = await instants();
    await trainer.api.put('/settings/timezone', { fuso_horario: 'America/Rio_Branco' });
    const text = async () => (await series.get(id)).trechos.map(({ texto }) => texto);
    await eventually(text, ['Toda terça e quinta, 5:00']);
    expect(await instants()).toEqual(before);
    clock.at = new Date('2026-12-20T12:00:00Z');
    await fill();
    const after = await instants();
    expect(after.length).toBeGreaterThan(before.length);
    expect(new Set(after.map((at) => at.slice(11)))).toEqual(new Set(['10:00:00.000Z']));
    await trainer.api.put('/settings/timezone', { fuso_horario: 'America/Sao_Paulo' });
    await eventually(text, ['Toda terça e quinta, 7:00']);
    await expectRebuildToEqualLive(app, 'series');
  });

  const change = (timezone: string) => {
    const context = {
      tenantId: trainer.tenantId,
      userId: trainer.tenantId,
      role: 'personal' as const,
      studentId: null,
      timezone,
      requestId: randomUUID(),
      device: null,
      idempotency: null,
    };
    return app.nest.get(CommandBus).execute(new ChangeZone(context, { fuso_horario: timezone }));
  };

  it('keeps the local time over clock changes, and also moves sessions that were booked in another zone', async () => {
    clock.at = new Date('2027-01-04T12:00:00Z');
    const { id } = await series.start(plan({ data: '2027-01-05', dias: [2], vezes: undefined }));
    await change('America/New_York');
    await eventually(async () => (await series.get(id)).trechos[0]!.texto, 'Toda terça, 5:00');
    clock.at = new Date('2027-02-15T12:00:00Z');
    await fill();
    const starts = async () =>
      (await series.sessions()).map(({ inicio }) => `${inicio.slice(5, 10)} ${inicio.slice(11, 16)}`);
    // Booked in São Paulo until the beginning of April; New York's clocks change on 14 March.
    const all = await starts();
    expect(all.slice(0, 2)).toEqual(['01-05 10:00', '01-12 10:00']);
    expect(all).toContain('03-30 10:00');
    expect(all.at(-1)).toMatch(/^05-1\d 09:00$/);
    const next = (await series.sessions()).find(({ inicio }) => inicio.startsWith('2027-02-16'))!;
    await series.change(next.id, 'todas', {
      inicio: '2027-02-16T11:00:00.000Z',
      fim: '2027-02-16T12:00:00.000Z',
    });
    const moved = (await starts()).filter((at) => at >= '02-16');
    for (const at of moved) expect(at.slice(6)).toBe(at < '03-14' ? '11:00' : '10:00');
  });

  it('keeps an hour together that was shared after the zone changed', async () => {
    clock.at = new Date('2027-01-04T12:00:00Z');
    const { id } = await series.start(plan({ data: '2027-01-05', dias: [2], vezes: undefined }));
    await change('America/New_York');
    await eventually(async () => (await series.get(id)).trechos[0]!.texto, 'Toda terça, 5:00');
    const [first] = await series.sessions();
    await series.join(first!.id, 'todas', await agenda.student('Bia Rocha'));
    await series.change(first!.id, 'todas', {
      inicio: '2027-01-05T12:00:00.000Z',
      fim: '2027-01-05T13:00:00.000Z',
    });
    const starts = (await series.sessions()).map(({ inicio }) => inicio);
    // New York's clocks change on 14 March.
    expect(new Set(starts.map((at) => at.slice(11, 16)))).toEqual(new Set(['12:00', '11:00']));
    for (const at of starts) expect(starts.filter((other) => other === at)).toHaveLength(2);
  });

  it('also moves sessions that it moved in another zone, and recognises them after an undo', async () => {
    clock.at = new Date('2027-01-04T12:00:00Z');
    const { id } = await series.start(plan({ data: '2027-01-05', dias: [2], vezes: undefined }));
    const text = async () => (await series.get(id)).trechos[0]!.texto;
    const hours = async () => new Set((await series.sessions()).map(({ inicio }) => inicio.slice(11, 16)));
    const [first] = await series.sessions();
    const move = (hour: number) =>
      series.change(first!.id, 'todas', {
        inicio: `2027-01-05T${hour}:00:00.000Z`,
        fim: `2027-01-05T${hour + 1}:00:00.000Z`,
      });
    await change('America/New_York');
    await eventually(text, 'Toda terça, 5:00');
    await move(12);
    // New York's clocks change on 14 March.
    expect(await hours()).toEqual(new Set(['12:00', '11:00']));
    await change('America/Sao_Paulo');
    await eventually(text, 'Toda terça, 9:00');
    for (const hour of [13, 14]) {
      const done = await move(hour);
      expect(await hours()).toEqual(new Set([`${hour}:00`]));
      await series.undo(done);
      expect(await hours()).toEqual(new Set(['12:00', '11:00']));
    }
  });

  it('of past or settled sessions, or to another week, is refused', async () => {
    await series.start(plan());
    const first = await session('2026-11-24');
    const to = { escopo: 'todas', ...times('2026-12-01', '07:00', '08:00') };
    expect((await agenda.refused(422, 'PATCH', `/sessions/${first}/series`, to)).code).toBe('series.too_far');
    clock.at = new Date(on(24)(6));
    await agenda.complete(first);
    const body = { escopo: 'todas', observacoes: 'x' };
    expect((await agenda.refused(409, 'PATCH', `/sessions/${first}/series`, body)).code).toBe(
      'series.settled',
    );
    const other = await agenda.book({ student_id: ana, ...times('2026-11-27', '07:00', '08:00') });
    expect((await agenda.refused(404, 'PATCH', `/sessions/${other}/series`, body)).code).toBe(
      'series.not_found',
    );
  });
});

describe('other weekdays', () => {
  const session = async (day: string) =>
    (await series.sessions()).find(({ ocorrencia }) => ocorrencia === day)!.id;

  it('from a session on: sessions of remaining days stay, others are removed and booked, and it is undone as a whole', async () => {
    const { id } = await series.start(plan());
    await agenda.patch(await session('2026-12-08'), times('2026-12-09', '10:00', '11:00'));
    const kept = await session('2026-12-08');
    const done = await series.change(await session('2026-12-03'), 'proximas', { dias: [5, 2] });
    expect(done).toMatchObject({ id, sessoes: 6, puladas: 0 });
    const after = ['24/11 07:00', '26/11 07:00', '01/12 07:00', '04/12 07:00', '09/12 10:00'];
    expect(await said()).toEqual([...after, '11/12 07:00', '15/12 07:00', '18/12 07:00']);
    expect(await session('2026-12-08')).toBe(kept);
    expect(
      (await series.get(id)).trechos.map(({ desde, dias, texto, rrule }) => [desde, dias, texto, rrule]),
    ).toEqual([
      ['2026-11-24', [2, 4], 'Toda terça e quinta, 7:00', 'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261201T100000Z'],
      ['2026-12-03', [2, 5], 'Toda terça e sexta, 7:00', 'FREQ=WEEKLY;BYDAY=TU,FR;UNTIL=20261218T100000Z'],
    ]);
    expect(await toldOf(trainer.api, `student:${ana}`)).toContain(
      'De 03/12/2026 em diante, mudou os dias do horário fixo para terça e sexta: 3 sessões adicionadas, 3 sessões removidas',
    );
    await series.undo(done);
    expect(await said()).toEqual(EIGHT.map((one) => (one === '08/12 07:00' ? '09/12 10:00' : one)));
    expect((await series.get(id)).trechos).toHaveLength(1);
    await expectRebuildToEqualLive(app, 'series');
  });

  it('are those of the sessions if the series was moved, and skip obstacles as decided', async () => {
    const { id } = await series.start(plan({ vezes: 4 }));
    await series.change(await session('2026-11-24'), 'todas', times('2026-11-25', '07:00', '08:00'));
    await trainer.api.post('/holidays', { nome: 'Festa', data: '2026-11-30', anual: false });
    const first = await session('2026-11-24');
    const body = { escopo: 'todas', dias: [1, 3] };
    expect(await agenda.refused(409, 'PATCH', `/sessions/${first}/series`, body)).toMatchObject({
      code: 'series.times_taken',
      detail: '1 nova data tem conflito: 30/11/2026 (Feriado: Festa).',
    });
    const done = await series.change(first, 'todas', { dias: [1, 3], impedidas: 'manter' });
    expect(done).toMatchObject({ sessoes: 3, puladas: 1 });
    expect(await said()).toEqual(['25/11 07:00', '02/12 07:00', '07/12 07:00']);
    const { trechos, puladas } = await series.get(id);
    expect([trechos[0]!.texto, puladas]).toEqual([
      'Toda segunda e quarta, 7:00',
      [{ data: '2026-11-29', motivo: 'feriado' }],
    ]);
    await series.undo(done);
    expect((await series.get(id)).puladas).toEqual([]);
  });

  it('apply to the future sessions of a series without an end', async () => {
    const { id } = await series.start(plan({ vezes: null }));
    await series.change(await session('2026-11-24'), 'todas', { dias: [6], impedidas: 'manter' });
    clock.at = new Date(NOW.getTime() + 14 * 86_400_000);
    await fill();
    expect((await said()).slice(-3)).toEqual(['13/02 07:00', '20/02 07:00', '27/02 07:00']);
    expect((await series.get(id)).ate).toBeNull();
  });

  it('keep the number of sessions of a series with a fixed number, until it is ended before', async () => {
    const { id } = await series.start(plan());
    const first = await session('2026-11-24');
    const tuesdays = [...EIGHT.filter((_, at) => at % 2 === 0), ...MORE_TUESDAYS];
    const done = await series.change(first, 'todas', { dias: [2] });
    expect(await said()).toEqual(tuesdays);
    expect((await series.get(id)).ate).toBe('2027-01-12');
    await series.undo(done);
    expect([await said(), (await series.get(id)).ate]).toEqual([EIGHT, '2026-12-17']);

    const ended = await series.cancel(await session('2026-12-15'), 'proximas');
    await series.change(first, 'todas', { dias: [2] });
    expect((await said()).at(-3)).toBe('08/12 07:00');
    expect((await series.get(id)).ate).toBe('2026-12-14');
    await agenda.refused(409, 'POST', `/series/${id}/undo`, { mudanca_id: ended.mudanca_id });
    await expectRebuildToEqualLive(app, 'series');
  });

  it('do not book a date again whose session was settled', async () => {
    await series.start(plan());
    await agenda.cancel(await session('2026-11-26'));
    const tuesdays = [...EIGHT.filter((_, at) => at % 2 === 0), ...MORE_TUESDAYS];
    await series.change(await session('2026-11-24'), 'todas', { dias: [2] });
    expect(await said()).toEqual([tuesdays[0], '26/11 07:00 cancelada', ...tuesdays.slice(1)]);
    const done = await series.change(await session('2026-11-24'), 'todas', { dias: [2, 4] });
    expect(done).toMatchObject({ sessoes: 7, puladas: 0 });
    expect(await said()).toEqual(EIGHT.map((one) => (one === '26/11 07:00' ? `${one} cancelada` : one)));
  });

  it('are refused together with other changes, and if no session would be left', async () => {
    await series.start(plan({ vezes: null, ate: '2026-11-24' }));
    const path = `/sessions/${await session('2026-11-24')}/series`;
    await agenda.refused(400, 'PATCH', path, { escopo: 'todas', dias: [2], observacoes: 'x' });
    await agenda.refused(400, 'PATCH', path, { escopo: 'todas', dias: [] });
    const refused = await agenda.refused(422, 'PATCH', path, { escopo: 'todas', dias: [5] });
    expect(refused.code).toBe('series.no_dates');
    expect(await said()).toEqual(['24/11 07:00']);
  });
});

describe('an end', () => {
  const session = async (day: string) =>
    (await series.sessions()).find(({ ocorrencia }) => ocorrencia === day)!.id;

  it('by cancelling applies to the session and later ones, and is undone', async () => {
    const { id } = await series.start(plan());
    const done = await series.cancel(await session('2026-12-10'), 'proximas', { motivo: 'aluno_no_prazo' });
    expect(done).toMatchObject({ sessoes: 3 });
    expect((await said()).slice(5)).toEqual([
      '10/12 07:00 cancelada',
      '15/12 07:00 cancelada',
      '17/12 07:00 cancelada',
    ]);
    expect(await series.get(id)).toMatchObject({
      ate: '2026-12-09',
      trechos: [{ rrule: 'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261208T100000Z' }],
    });
    await series.undo(done);
    expect(await said()).toEqual(EIGHT);
    expect((await series.get(id)).ate).toBe('2026-12-17');
  });

  it('by deleting applies to all future sessions, and is undone only if their times are free or may overlap', async () => {
    await series.start(plan());
    clock.at = new Date(on(24)(12));
    const done = await series.remove(await session('2026-12-10'), 'todas');
    expect(await said()).toEqual(['24/11 07:00']);
    await agenda.book({ student_id: ana, ...times('2026-12-03', '07:30', '08:30') });
    const body = { mudanca_id: done.mudanca_id };
    expect((await agenda.refused(409, 'POST', `/series/${done.id}/undo`, body)).code).toBe('agenda.overlap');
    expect(await said()).toHaveLength(2);
    await series.undo(done, { permitir_conflito: true });
    expect(await said()).toHaveLength(9);
  });
});

it('is undone only if the trainer is not on vacation by now', async () => {
  await series.start(plan());
  const last = (await series.sessions()).find(({ ocorrencia }) => ocorrencia === '2026-12-10')!;
  const done = await series.remove(last.id, 'proximas');
  const refused = () =>
    agenda.refused(409, 'POST', `/series/${done.id}/undo`, { mudanca_id: done.mudanca_id });
  const morning = { start_time: '06:00', end_time: '12:00', is_blocked: true };
  await trainer.api.put('/availability/exceptions/2026-12-17', { horarios: [morning] });
  expect((await refused()).code).toBe('agenda.blocked');
  await trainer.api.post('/vacations', { start_date: '2026-12-14', end_date: '2026-12-15' });
  expect(await refused()).toMatchObject({
    code: 'agenda.on_vacation',
    detail: 'Férias de 14/12/2026 a 15/12/2026, no horário de uma das sessões que voltariam.',
  });
  expect(await said()).toEqual(EIGHT.slice(0, 5));
  await series.undo(done, { permitir_conflito: true });
  expect(await said()).toEqual(EIGHT);
});

describe('a series without an end', () => {
  const last = async () => (await said()).at(-1);

  it('is always booked twelve weeks ahead, once, late rather than never', async () => {
    const { id, sessoes } = await series.start(plan({ vezes: null }));
    // From 24 November to Saturday 20 February, without gaps: no holiday is a Tuesday or a Thursday.
    expect(sessoes).toBe(26);
    expect(await last()).toBe('18/02 07:00');
    await Promise.all([fill(), fill()]);
    expect(await said()).toHaveLength(26);

    clock.at = new Date(NOW.getTime() + 14 * 86_400_000);
    await series.change((await series.sessions())[5]!.id, 'proximas', times('2026-12-10', '09:00', '10:00'));
    await Promise.all([fill(), fill()]);
    expect((await said()).slice(-3)).toEqual(['18/02 09:00', '23/02 09:00', '25/02 09:00']);
    expect((await series.get(id)).ate).toBeNull();

    // After months without a worker, no past dates are booked.
    clock.at = new Date('2027-06-16T12:00:00Z');
    await fill();
    const all = await said();
    expect(all.slice(28, 30)).toEqual(['17/06 09:00', '22/06 09:00']);
    expect(all.at(-1)).toBe('09/09 09:00');
    await expectRebuildToEqualLive(app, 'series');
  });

  it('skips obstacles, and stops with the series or its student', async () => {
    const { id } = await series.start(plan({ vezes: null }));
    await trainer.api.post('/vacations', { start_date: '2027-02-21', end_date: '2027-02-24' });
    clock.at = new Date(NOW.getTime() + 14 * 86_400_000);
    await trainer.api.post(`/students/${ana}/archive`);
    await fill();
    expect(await last()).toBe('18/02 07:00');
    await trainer.api.post(`/students/${ana}/restore`);
    await fill();
    expect(await last()).toBe('25/02 07:00');
    expect((await series.get(id)).puladas).toEqual([{ data: '2027-02-23', motivo: 'ferias' }]);
    const sessions = await series.sessions();
    await series.remove(sessions.at(-1)!.id, 'proximas');
    clock.at = new Date(NOW.getTime() + 30 * 86_400_000);
    await fill();
    expect(await last()).toBe('18/02 07:00');
  });
});

describe('a pause of the student that cancels the sessions', () => {
  const pause = async (body: object) =>
    (await trainer.api.put<PauseChanged>(`/students/${ana}/pause`, body)).body;
  const refused = (body: object) => agenda.refused(409, 'PUT', `/students/${ana}/pause`, body);
  const cancelled = async () => (await said()).filter((one) => one.includes('cancelada'));
  const words = () => toldOf(trainer.api, `student:${ana}`);
  /** Of 24 November to 3 December. */
  const FOUR = EIGHT.slice(0, 4).map((one) => `${one} cancelada`);
  const first = at('2026-11-24', '07:00');

  it('cancels those of series and single ones, only of this student, also one booked after it was announced', async () => {
    const plano_id = await agenda.plan();
    await trainer.api.patch(`/students/${ana}`, { plano_id });
    await agenda.renew(ana);
    const bia = await agenda.student('Bia Lima');
    await series.start(plan({ outros_alunos: [bia] }));
    const ate = '2026-12-03';
    const { body } = await trainer.api.get<PausePreview>(`/students/${ana}/pause/preview`, {
      query: { ate },
    });
    expect(body).toMatchObject({ sessoes: 4, horario_fixo: true, cancelando: false, reabertas: 0 });
    expect(body.primeiras).toEqual([first, at('2026-11-26', '07:00'), at('2026-12-01', '07:00')]);
    const own = await agenda.book({ student_id: ana, ...times('2026-11-18', '09:00', '10:00') });
    const balance = await agenda.balance(ana);
    const done = await pause({ ate, sessoes: 'cancelar' });
    expect(done).toMatchObject({ reabertas: [], fora: 0 });
    expect([done.canceladas.length, done.canceladas[0]]).toEqual([5, at('2026-11-18', '09:00')]);
    expect(await agenda.get(own)).toMatchObject({ status: 'cancelada', motivo: 'personal', taxa: 0 });
    expect(await agenda.balance(ana)).toBe(balance);
    const sessions = await series.sessions();
    const left = (student: string) =>
      sessions.filter(({ student_id, status }) => student_id === student && status === 'agendada').length;
    expect([left(ana), left(bia)]).toEqual([4, 8]);
    expect(await words()).toContain('Pausou o aluno até 03/12/2026: cancelou 5 sessões');
    await expectRebuildToEqualLive(app, 'student-pauses');

    const undo = { ate: null, se_ainda: { ate }, mudanca_id: done.mudanca_id };
    expect((await pause(undo)).reabertas).toEqual(done.canceladas);
    expect(await cancelled()).toEqual([]);
    expect((await refused(undo)).code).toBe('changed_since');
  });

  it('keeps them if it is not asked to, and what it cancelled comes back where it ends earlier', async () => {
    await series.start(plan());
    expect(await pause({ ate: '2026-12-03' })).toMatchObject({ canceladas: [], mudanca_id: null });
    expect(await said()).toEqual(EIGHT);
    await pause({ ate: '2026-12-03', sessoes: 'cancelar' });
    expect(await cancelled()).toEqual(FOUR);
    const bia = await agenda.student('Bia Lima');
    await agenda.book({ student_id: bia, ...times('2026-12-03', '07:30', '08:30') });
    const { body } = await trainer.api.get<PausePreview>(`/students/${ana}/pause/preview`, {
      query: { ate: '2026-11-24' },
    });
    expect(body).toMatchObject({ sessoes: 0, cancelando: true, reabertas: 2 });
    const shorter = await pause({ ate: '2026-11-24' });
    expect(shorter).toMatchObject({
      reabertas: ['2026-11-26', '2026-12-01'].map((day) => at(day, '07:00')),
      fora: 1,
    });
    expect(await cancelled()).toEqual([FOUR[0], FOUR[3]]);
    const over = await pause({ ate: null });
    expect(over).toMatchObject({ reabertas: [first], fora: 1 });
    expect(await words()).toContain('Encerrou a pausa do aluno: 1 sessão voltou à agenda');
    await pause({ ate: '2026-11-24', se_ainda: { ate: null }, mudanca_id: over.mudanca_id });
    expect(await cancelled()).toEqual([FOUR[0], FOUR[3]]);
  });

  it('is undone as a whole or not at all', async () => {
    await series.start(plan());
    const ate = '2026-12-03';
    const undo = ({ mudanca_id }: PauseChanged) => ({ ate: null, se_ainda: { ate }, mudanca_id });
    const taken = await pause({ ate, sessoes: 'cancelar' });
    const bia = await agenda.student('Bia Lima');
    const hers = await agenda.book({ student_id: bia, ...times('2026-11-26', '07:30', '08:30') });
    // The refusal names Bia by the read tables, which this waits for.
    expect(await cancelled()).toEqual(FOUR);
    expect(await refused(undo(taken))).toMatchObject({
      code: 'student_pauses.cannot_undo',
      detail:
        'Bia já tem sessão em qui., 26 de nov., 7:30, no horário de uma das sessões que voltariam. Você ainda pode mudar a pausa e ajustar a agenda à mão.',
    });
    expect(await cancelled()).toEqual(FOUR);
    await agenda.remove(hers);
    await trainer.api.post('/vacations', { start_date: '2026-12-01', end_date: '2026-12-01' });
    expect((await refused(undo(taken))).code).toBe('student_pauses.cannot_undo');
    await pause({ ate: null });
    const again = await pause({ ate, sessoes: 'cancelar' });
    await agenda.reopen((await series.sessions())[0]!.id);
    expect((await refused(undo(again))).detail).toContain('Uma das sessões foi alterada depois.');
    expect((await refused(undo(taken))).detail).toContain('A pausa mudou depois disso.');
  });

  it('returns a session to the time that it shared before', async () => {
    const bia = await agenda.student('Bia Lima');
    await agenda.book({ student_id: bia, ...times('2026-11-24', '07:30', '08:30') });
    const hers = { student_id: ana, ...times('2026-11-24', '07:00', '08:00'), permitir_conflito: true };
    await agenda.book(hers);
    const ate = '2026-11-24';
    const { mudanca_id } = await pause({ ate, sessoes: 'cancelar' });
    expect((await pause({ ate: null, se_ainda: { ate }, mudanca_id })).reabertas).toEqual([first]);
  });

  it('leaves its days out of a series without an end, which goes on after it, and books them if it ends earlier', async () => {
    await series.start(plan({ vezes: null }));
    await pause({ ate: '2027-02-23', sessoes: 'cancelar' });
    const scheduled = async () => (await said()).filter((one) => !one.includes('cancelada'));
    expect(await scheduled()).toEqual([]);
    clock.at = new Date(NOW.getTime() + 14 * 86_400_000);
    await Promise.all([fill(), fill()]);
    // From Sunday 21 to Saturday 27 February.
    expect(await scheduled()).toEqual(['25/02 07:00']);
    const [{ serie_id } = { serie_id: null }] = await series.sessions();
    expect((await series.get(serie_id!)).puladas).toEqual([{ data: '2027-02-23', motivo: 'pausa' }]);
    const past = 3;
    const { reabertas } = await pause({ ate: null });
    expect(reabertas).toHaveLength(26 - past);
    // 23 and 25 February follow the dates of before.
    await eventually(async () => (await scheduled()).length, 26 - past + 2);
    expect((await series.get(serie_id!)).puladas).toEqual([]);
    await expectRebuildToEqualLive(app, 'series');
  });
});

it('books up to 104 sessions in one transaction', async () => {
  const fields = { dias: [1, 2, 3, 4, 5, 6], vezes: 104, hora: '05:00' };
  const { sessoes } = await series.preview({ ...plan(), ...fields });
  const mesmo_assim = sessoes.filter(({ obstaculos }) => obstaculos.length > 0).map(({ data }) => data);
  expect(mesmo_assim).toEqual(['2026-12-25', '2027-01-01']);
  expect(await series.start(plan({ ...fields, mesmo_assim }))).toMatchObject({ sessoes: 104, puladas: 0 });
  const written = await (
    await testDatabase()
  ).query(
    `select count(*)::int as events, count(distinct recorded_at)::int as transactions from events
     where tenant_id = $1 and meta ->> 'command' = 'StartSeries'`,
    [trainer.tenantId],
  );
  expect(written).toEqual([{ events: 105, transactions: 1 }]);
});
