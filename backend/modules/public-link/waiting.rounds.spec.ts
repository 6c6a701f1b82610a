import { describe, expect, it } from '@jest/globals';
import { decideRound, type Queued, type RoundAsked } from './waiting.rounds.js';
import { about, type Waiting, waiting, type WaitingEvent } from './waiting.js';

/** A day of November 2026 in São Paulo. */
const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour + 3, minute);
const iso = (time: number) => new Date(time).toISOString();

const rules = {
  zone: 'America/Sao_Paulo',
  duracao_min: 60,
  intervalo_min: 15,
  antecedencia_min: 0,
  now: at(2, 10),
};

function waits(name: string, more: Partial<Waiting> = {}): Queued {
  const entry: Waiting = {
    wait_id: name,
    student_id: `${name}-student`,
    location_id: 'place',
    service_id: null,
    consentimento: 1,
    novo: true,
    de: '2026-11-03',
    ate: '2026-11-06',
    periodos: ['noite'],
    status: 'esperando',
    pulado: false,
    por_email: true,
    oferta: null,
    ofertas: 0,
    vencidas: 0,
    oferecidos: [],
    ...more,
  };
  return { entry, isThere: true, isWelcome: true };
}
const offer = (inicio: number, ate: number) => ({
  oferta: 1,
  inicio: iso(inicio),
  fim: iso(inicio + 3_600_000),
  ate: iso(ate),
  por_email: true,
  enviada: false,
});

/** A round, summarised as who, what, when or why. */
function round(
  queue: readonly Queued[],
  asked: Partial<RoundAsked> & Pick<RoundAsked, 'starts'>,
): string[][] {
  const words = ({ type, data }: WaitingEvent) => {
    if (type === 'WaitlistOffered') return [type, data.inicio, data.ate];
    return 'motivo' in data ? [type, data.motivo] : [type];
  };
  return [...decideRound(queue, { ...rules, ...asked })].flatMap(([id, events]) =>
    events.map((event) => [id, ...words(event)]),
  );
}

const evening = at(4, 18);

describe('a person', () => {
  it.each([
    ['nao_enviada', []],
    ['ocupada', []],
    ['venceu', [iso(evening)]],
    ['recusada', [iso(evening)]],
  ] as const)('to whom an offer ended as %s is not offered %j again', (motivo, never) => {
    const { entry } = waits('a', { oferta: offer(evening, at(2, 11)), oferecidos: [iso(evening)] });
    const data = { ...about(entry), oferta: 1, inicio: iso(evening), motivo };
    expect(waiting.evolve(entry, { type: 'WaitlistOfferEnded', data })?.oferecidos).toEqual(never);
  });
});

describe('a round', () => {
  it('offers each time to the first person it suits, one at a time, and none that overlaps another offer', () => {
    const queue = [waits('day', { periodos: ['manha'] }), waits('a'), waits('b'), waits('c')];
    expect(round(queue, { starts: [at(2, 19), evening, at(4, 19), at(5, 18), at(7, 18)] })).toEqual([
      ['a', 'WaitlistOffered', iso(evening), iso(at(2, 11))],
      ['b', 'WaitlistOffered', iso(at(5, 18)), iso(at(2, 11))],
    ]);
  });

  it('offers each as long as what they wait for lasts, and none of these overlap', () => {
    const short = { ...waits('short'), starts: [evening, at(4, 18, 30), at(4, 19, 15)], minutes: 30 };
    const queue = [short, waits('a'), { ...short, entry: waits('late').entry }];
    const events = [...decideRound(queue, { ...rules, starts: [evening, at(4, 18, 45)] }).values()].flat();
    expect(events.map(({ data }) => [data.wait_id, 'inicio' in data && data.inicio])).toEqual([
      ['short', iso(evening)],
      ['a', iso(at(4, 18, 45))],
    ]);
    expect(events).toMatchObject([
      { data: { fim: iso(at(4, 18, 30)) } },
      { data: { fim: iso(at(4, 19, 45)) } },
    ]);
  });

  it("offers only what is free at the person's location, with travel time between two offers", () => {
    const queue = [
      { ...waits('far', { location_id: 'park' }), starts: [at(4, 19)] },
      waits('near'),
      waits('next', { location_id: 'park' }),
    ];
    const starts = [evening, at(4, 19, 15), at(4, 20, 45)];
    const away = () => 40;
    expect(round(queue, { starts, away }).map(([who, , start]) => [who, start])).toEqual([
      ['near', iso(evening)],
      ['next', iso(at(4, 20, 45))],
    ]);
    expect(round(queue, { starts }).map(([who, , start]) => [who, start])).toEqual([
      ['near', iso(evening)],
      ['next', iso(at(4, 19, 15))],
    ]);
  });

  it('offers nothing to people who already have an offer, are skipped or blocked, or were offered that time before', () => {
    const queue = [
      waits('a', { oferta: offer(at(5, 18), at(2, 11)) }),
      waits('a2', { student_id: 'a-student' }),
      waits('skipped', { pulado: true }),
      { ...waits('blocked'), isWelcome: false },
      waits('before', { oferecidos: [iso(evening)] }),
    ];
    expect(round(queue, { starts: [evening, at(5, 18)] })).toEqual([]);
  });

  it('offers an unanswered time to the next person, and removes people after three unanswered offers', () => {
    const over = offer(evening, at(2, 9));
    const asked = { starts: [evening] };
    const queue = [waits('a', { oferta: over, oferecidos: [over.inicio] }), waits('b')];
    expect(round(queue, asked)).toEqual([
      ['a', 'WaitlistOfferEnded', 'venceu'],
      ['b', 'WaitlistOffered', iso(evening), iso(at(2, 11))],
    ]);
    const third = waits('a', { oferta: over, oferecidos: [over.inicio], vencidas: 2 });
    expect(round([third], asked)).toEqual([
      ['a', 'WaitlistOfferEnded', 'venceu'],
      ['a', 'WaitlistLeft', 'sem_resposta'],
    ]);
  });

  it('keeps an offer of which nobody told the person until its time comes, and then the person in the list', () => {
    const over = offer(evening, at(2, 9));
    const unmailed = { ...over, por_email: false };
    const unsaid = { oferta: unmailed, oferecidos: [over.inicio], vencidas: 2 };
    const behind = waits('b', { por_email: false });
    expect(round([waits('a', unsaid), behind], { starts: [evening] })).toEqual([]);
    // Somebody booked it.
    expect(round([waits('a', unsaid)], { starts: [] })).toEqual([['a', 'WaitlistOfferEnded', 'ocupada']]);
    const late = { starts: [], now: at(4, 16), antecedencia_min: 120 };
    expect(round([waits('a', unsaid)], late)).toEqual([['a', 'WaitlistOfferEnded', 'nao_enviada']]);
    const sent = waits('a', { ...unsaid, oferta: { ...unmailed, enviada: true } });
    expect(round([sent], { starts: [evening] })).toEqual([
      ['a', 'WaitlistOfferEnded', 'venceu'],
      ['a', 'WaitlistLeft', 'sem_resposta'],
    ]);
  });

  it('gives the time of an offer that nobody sent in its hour to the next person who is told by mail', () => {
    const unsent = { ...offer(evening, at(2, 9)), por_email: false };
    const first = waits('a', { por_email: false, oferta: unsent, oferecidos: [unsent.inicio] });
    const queue = [first, waits('b', { por_email: false }), waits('c')];
    const starts = [evening, at(4, 18, 30), at(5, 18)];
    expect(round(queue, { starts })).toEqual([
      ['a', 'WaitlistOfferEnded', 'ocupada'],
      ['c', 'WaitlistOffered', iso(evening), iso(at(2, 11))],
      ['b', 'WaitlistOffered', iso(at(5, 18)), iso(at(2, 11))],
    ]);
    // In its hour it is held for everybody.
    const fresh = { ...first, entry: { ...first.entry, oferta: { ...unsent, ate: iso(at(2, 11)) } } };
    expect(round([fresh, waits('c')], { starts: [evening] })).toEqual([]);
  });

  it('ends an offer whose time the trainer took, and entries of removed students or with past dates', () => {
    const stands = offer(evening, at(2, 11));
    expect(round([waits('a', { oferta: stands })], { starts: [] })).toEqual([
      ['a', 'WaitlistOfferEnded', 'ocupada'],
    ]);
    expect(round([{ ...waits('a', { oferta: stands }), isThere: false }], { starts: [evening] })).toEqual([
      ['a', 'WaitlistOfferEnded', 'pulada'],
      ['a', 'WaitlistLeft', 'aluno'],
    ]);
    expect(round([waits('a', { ate: '2026-11-01' })], { starts: [evening] })).toEqual([
      ['a', 'WaitlistLeft', 'datas'],
    ]);
  });

  it.each([
    ['by day', at(2, 15), at(2, 16)],
    ['late', at(2, 20, 30), at(3, 9)],
    ['in the night', at(3, 2), at(3, 9)],
    ['early', at(3, 8, 30), at(3, 9, 30)],
  ])('holds a time that is offered %s until the morning', (_when, now, until) => {
    expect(round([waits('a')], { starts: [evening], now })).toEqual([
      ['a', 'WaitlistOffered', iso(evening), iso(until)],
    ]);
  });

  it('offers no time within the notice period, or without time left to answer', () => {
    const now = at(4, 16);
    const asked = { starts: [evening], now };
    expect(round([waits('a')], { ...asked, antecedencia_min: 90 })).toEqual([
      ['a', 'WaitlistOffered', iso(evening), iso(at(4, 16, 30))],
    ]);
    expect(round([waits('a')], { ...asked, antecedencia_min: 115 })).toEqual([]);
  });
});
