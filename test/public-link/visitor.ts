import { randomUUID } from 'node:crypto';
import {
  defaultSettings,
  type PublicLink,
  type VisitList,
} from '../../backend/modules/public-link/public-link.api.js';
import {
  CONSENT_VERSION,
  type PublicPage,
  type VisitMade,
} from '../../backend/modules/public-link/public-page.api.js';
import type { WaitingMade } from '../../backend/modules/public-link/waitlist.api.js';
import type { StudentPage } from '../../backend/modules/students/students.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { agendaOf } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { anyAddress } from '../support/addresses.js';
import type { TestApp } from '../support/app.js';
import { type Answer, Client } from '../support/client.js';
import type { TestDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';

export type Refusal = ProblemBody & {
  livres?: { inicio: string; fim: string }[];
  desafio?: { challenge: string; salt: string; algorithm: string; maxnumber: number; signature: string };
};

let phones = 980_000_000;
/** A phone that is unique in the test file; students and trainers have another area code. */
export const somePhone = () => String(++phones).replace(/^(\d{5})(\d{4})$/, '(21) $1-$2');

/** Actions of visitors on a trainer's page, each from an address of its own. */
export function visitorsOf(url: string, slug: string) {
  const client = new Client(url);
  const send = <Body>(path: string, body: object, address: string, key: string): Promise<Answer<Body>> =>
    client.request<Body>('POST', `/api/v1/public/${path}`, {
      body,
      idempotencyKey: key,
      headers: { 'X-Forwarded-For': address },
    });
  return {
    page: (headers: Record<string, string> = {}) =>
      client.request<PublicPage & ProblemBody>('GET', `/api/v1/public/pages/${slug}`, { headers }),
    book: (booking: object, address = anyAddress(), key: string = randomUUID()) =>
      send<VisitMade & Refusal>(
        'bookings',
        { slug, nome: 'Carla Visitante', whatsapp: somePhone(), consentimento: CONSENT_VERSION, ...booking },
        address,
        key,
      ),
    wait: (wish: object, key: string = randomUUID(), address = anyAddress()) =>
      send<WaitingMade & Refusal>(
        'waitlist',
        { slug, nome: 'Duda Espera', whatsapp: somePhone(), consentimento: CONSENT_VERSION, ...wish },
        address,
        key,
      ),
    take: (token: string, oferta: number) =>
      send<VisitMade & Refusal>('waitlist/take', { token, oferta }, anyAddress(), randomUUID()),
    refuse: (token: string, oferta: number) =>
      send<WaitingMade & Refusal>('waitlist/refuse', { token, oferta }, anyAddress(), randomUUID()),
    leave: (token: string) =>
      send<WaitingMade & Refusal>('waitlist/leave', { token }, anyAddress(), randomUUID()),
    move: (token: string, inicio: string) =>
      send<VisitMade & Refusal>('visits/move', { token, inicio }, anyAddress(), randomUUID()),
    cancel: (token: string, custo = 0) =>
      send<VisitMade & Refusal>('visits/cancel', { token, custo }, anyAddress(), randomUUID()),
  };
}

/** A new trainer with a location and a public page, with functions for visitors and the trainer. */
export async function openPublicPage(app: TestApp, database: TestDatabase) {
  const trainer = await signUp(app, { nome: `Ana ${randomUUID().slice(0, 8)}` });
  const agenda = agendaOf(trainer.api);
  const location_id = await agenda.location();
  await caughtUp(database);
  const { slug } = (await trainer.api.get<PublicLink>('/public-link')).body;
  const visitors = visitorsOf(app.url, slug);
  return {
    trainer,
    agenda,
    location_id,
    slug,
    visitors,
    set: async (changes: object) => {
      await trainer.api.put('/public-link', { ...defaultSettings, ...changes });
      await caughtUp(database);
    },
    visits: async () => (await trainer.api.get<VisitList>('/visits')).body.items,
    students: async () => (await trainer.api.get<StudentPage>('/students')).body.items,
    starts: async () => (await visitors.page()).body.horarios.map(({ inicio }) => inicio),
  };
}

export type OpenPage = Awaited<ReturnType<typeof openPublicPage>>;
