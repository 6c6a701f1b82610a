import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  defaultSettings,
  type PublicLink,
  type VisitList,
} from '../../backend/modules/public-link/public-link.api.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { mailFolder, nextMail, unreadMail } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { visitorsOf } from './visitor.js';

/** Monday 2 November 2026, 8:00. */
const clock = new SetClock(new Date(on(2)(8)));
let database: TestDatabase;
let app: TestApp;
let trainer: Trainer;
let location_id: string;
let visitors: ReturnType<typeof visitorsOf>;
/** Of a visitor. */
let email: string;

beforeAll(async () => {
  database = await testDatabase();
  app = await startApp({ clock });
});

beforeEach(async () => {
  clock.at = new Date(on(2)(8));
  trainer = await signUp(app, { nome: 'Ana Prado' });
  location_id = await agendaOf(trainer.api).location();
  await caughtUp(database);
  visitors = visitorsOf(app.url, (await trainer.api.get<PublicLink>('/public-link')).body.slug);
  email = `${randomUUID()}@example.com`;
});

/** All that follows from what was recorded has been done. */
const followed = () =>
  eventually(
    async () =>
      (
        await database.query<{ behind: number }>(
          `select count(*)::int as behind from reaction r cross join tenant_log l
            left join reaction_checkpoint c on c.tenant_id = l.tenant_id and c.reaction = r.name
            where l.tenant_id = $1 and coalesce(c.position, 0) < l.position`,
          [trainer.tenantId],
        )
      )[0]!.behind,
    0,
  );

describe('a visitor who gave an address', () => {
  it('is mailed once about each thing that happens, with the calendar’s file, and nothing that was typed', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(3)(9), email });
    const booked = await nextMail(email);
    expect(booked.subject).toBe('Horário reservado com Ana Prado');
    expect(booked.text).toContain('ter., 3 de nov. de 2026, 9:00, em Parque');
    expect(booked.text).toContain(`/p/reserva/${body.token}`);
    expect(booked.text).not.toContain('Carla');
    const files = (await readdir(mailFolder())).filter((name) => name.endsWith('.ics'));
    const calendars = await Promise.all(files.map((name) => readFile(join(mailFolder(), name), 'utf8')));
    expect(calendars.some((text) => text.includes(`UID:${body.id}@rende`))).toBe(true);

    await trainer.api.post(`/visits/${body.id}/confirm`);
    await trainer.api.post(`/visits/${body.id}/confirm`);
    expect((await nextMail(email)).subject).toBe('Horário confirmado com Ana Prado');
    await visitors.move(body.token, on(4)(10));
    const moved = await nextMail(email);
    expect(moved.subject).toBe('Sua aula com Ana Prado mudou de horário');
    expect(moved.text).toContain('qua., 4 de nov. de 2026, 10:00, em Parque.');
    await visitors.cancel(body.token);
    await visitors.cancel(body.token);
    expect((await nextMail(email)).subject).toBe('Reserva cancelada com Ana Prado');
    await followed();
    expect(await unreadMail(email)).toEqual([]);
  });

  it('reads why the trainer declined, by mail and on the page, and hears when that is taken back', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(3)(9), email });
    await nextMail(email);
    const mensagem = 'Só atendo à tarde <b>neste</b> mês.';
    await trainer.api.post(`/visits/${body.id}/decline`, { mensagem });
    const declined = await nextMail(email);
    expect(declined.subject).toBe('Ana Prado não pode atender neste horário');
    expect(declined.text).toContain(`Mensagem de Ana Prado: “${mensagem}”`);
    const page = await (await fetch(`${app.url}/p/reserva/${body.token}`)).text();
    expect(page).toContain('Só atendo à tarde &lt;b&gt;neste&lt;/b&gt; mês.');
    const [row] = await database.query<{ session_id: string }>(
      'select session_id from read.visits where id = $1',
      [body.id],
    );
    await trainer.api.post(`/sessions/${row!.session_id}/reopen`, {});
    expect((await nextMail(email)).subject).toBe('Sua reserva com Ana Prado voltou a valer');
    expect((await trainer.api.get<VisitList>('/visits')).body.items).toHaveLength(1);
  });

  it('is not mailed more than ten times a day, whoever types the address', async () => {
    await trainer.api.put('/public-link', { ...defaultSettings, intervalo_min: 0 });
    await caughtUp(database);
    const { horarios } = (await visitors.page()).body;
    for (const { inicio } of horarios.slice(0, 12))
      expect((await visitors.book({ location_id, inicio, email })).status).toBe(201);
    await followed();
    const [mails] = await database.query<{ total: number }>(
      `select count(*)::int as total from mails where tenant_id = $1 and kind = 'visits.booked'`,
      [trainer.tenantId],
    );
    expect(mails!.total).toBe(10);
  });
});
