import { expect, it } from '@jest/globals';
import {
  chargeOfTxid,
  providerTxid,
  decideEnded,
  decideMade,
  decideRevised,
  lifetimeOf,
  nextLook,
  nextStep,
  type ProviderCode,
  providerCode,
  type ProviderCodeEvent,
  type WantedCode,
} from './provider-code.js';
import {
  type ConnectionState,
  connectionOf,
  decideConnect,
  decideDisconnect,
  decideReconnect,
  knowersOf,
  providerConnection,
  type ProviderConnectionEvent,
} from './provider-connection.js';

const charge_id = '4b1f0c52-8a0e-4c1d-9a39-5d1c8f1a2b01';
const about = { charge_id, student_id: 'ana', txid: providerTxid(charge_id, 0) };
const now = new Date('2026-11-21T12:00:00Z');
const code: ProviderCode = {
  ...about,
  connection_id: 'one',
  chave: 'a@b.co',
  pago: 0,
  valor: 60_000,
  vencimento: '2026-11-25',
  criada_em: now.toISOString(),
  expira_em: '2026-12-25T23:59:59.000Z',
  revisao: 0,
  pix_copia_e_cola: '000201',
};
const wanted: WantedCode = {
  chave: 'a@b.co',
  pago: 0,
  valor: 60_000,
  vencimento: '2026-11-25',
  descricao: 'Pacote',
};
const given = (...events: ProviderCodeEvent[]) =>
  events.reduce((state, event) => providerCode.evolve(state, event), providerCode.initialState);
const made: ProviderCodeEvent = { type: 'PixCodeMade', data: code };
const ended: ProviderCodeEvent = { type: 'PixCodeEnded', data: { ...about, motivo: 'removida' } };

it('a txid has 26 to 35 letters and digits, identifies its charge, and differs for each code', () => {
  const names = [0, 1, 36, 1295].map((n) => providerTxid(charge_id, n));
  expect(new Set(names).size).toBe(4);
  for (const name of names) {
    expect(name).toMatch(/^[a-zA-Z0-9]{26,35}$/);
    expect(chargeOfTxid(name)).toBe(charge_id);
  }
  expect([chargeOfTxid('R04B1F0C528A0E4C1D9A395D1C'), chargeOfTxid('')]).toEqual([null, null]);
});

it.each<[string, ProviderCode | null, WantedCode | null, string]>([
  ['nothing is there or wanted', null, null, 'none'],
  ['none is there', null, wanted, 'make'],
  ['all is as it is to be', code, wanted, 'none'],
  ['none is wanted any more', code, null, 'remove'],
  ['the amount is another', code, { ...wanted, valor: 1 }, 'revise'],
  ['it is due on another day', code, { ...wanted, vencimento: '2026-11-26' }, 'revise'],
  ['it ends within a day', { ...code, expira_em: '2026-11-22T12:00:00.000Z' }, wanted, 'revise'],
  ['a part was paid', code, { ...wanted, pago: 20_000, valor: 40_000 }, 'remove'],
  ['it pays to another key', code, { ...wanted, chave: 'c@d.co' }, 'remove'],
])('where %s, the next step is the expected one', (_name, has, wants, step) => {
  expect(nextStep(has, wants, now)).toBe(step);
});

it('a code is made once, ends once, and its txid is used once', () => {
  expect(decideMade(given(), code)).toEqual([made]);
  expect(decideMade(given(made), code)).toEqual([]);
  expect(decideEnded(given(made), about, 'removida')).toEqual([ended]);
  expect(decideEnded(given(), about, 'removida')).toEqual([ended]);
  expect(decideEnded(given(made, ended), about, 'removida')).toEqual([]);
  expect(decideMade(given(made, ended), code)).toEqual([]);
});

it('a code is changed only by a newer revision', () => {
  const { valor, vencimento, expira_em, pix_copia_e_cola } = code;
  const terms = { valor: valor + 1, vencimento, expira_em, pix_copia_e_cola, revisao: 1 };
  const revised: ProviderCodeEvent = { type: 'PixCodeRevised', data: { ...about, ...terms } };
  expect(decideRevised(given(made), about.txid, terms)).toEqual([revised]);
  expect(decideRevised(given(made, revised), about.txid, { ...terms, revisao: 0 })).toEqual([]);
  expect(decideRevised(given(made, ended), about.txid, terms)).toEqual([]);
});

it('a code can be paid until 30 days after its due date, or after today if that has passed', () => {
  expect(lifetimeOf('2026-11-25', now, now)).toBe(34 * 86_400 + 43_199);
  expect(lifetimeOf('2026-01-01', now, now)).toBe(30 * 86_400);
});

it('a code is checked often at first, and four times a day in the end', () => {
  const after = (minutes: number) => {
    const at = new Date(now.getTime() + minutes * 60_000);
    return (nextLook(code, at).getTime() - at.getTime()) / 60_000;
  };
  expect([after(0), after(80), after(240), after(100_000)]).toEqual([10, 10, 30, 360]);
});

const first = {
  url_api: 'https://a.example',
  url_token: 'https://a.example/t',
  client_id: 'c',
  client_secret: 's',
  certificado: null,
  chave_privada: null,
};
const state = (...events: ProviderConnectionEvent[]) =>
  events.reduce<ConnectionState>(
    (before, event) => providerConnection.evolve(before, event),
    providerConnection.initialState,
  );

it('a connection is asked for its codes however many have replaced it since', () => {
  const names = Array.from({ length: 30 }, (_, n) => `${n}`);
  const all = names.flatMap((name) => decideConnect(name, { ...first, url_api: `https://${name}.example` }));
  expect(names.flatMap((name) => knowersOf(state(...all), name).map((one) => one.connection_id))).toEqual(
    names,
  );
});

it('a connection replaces the previous one, can be ended, and can be restored', () => {
  const [connected] = decideConnect('one', first);
  const [gone] = decideDisconnect(state(connected!));
  expect(connectionOf(state(connected!))).toEqual({ connection_id: 'one', ...first });
  expect([connectionOf(state()), connectionOf(state(connected!, gone!))]).toEqual([null, null]);
  expect(decideDisconnect(state())).toEqual([]);
  expect(decideReconnect(state(connected!, gone!))).toEqual([connected]);
  expect(decideReconnect(state(connected!))).toEqual([]);
  expect(() => decideReconnect(state())).toThrow('pix_provider.none');
  // The trainer's key is destroyed.
  const forgotten = { ...connected!.data, client_secret: null } as never;
  expect(connectionOf(state({ type: 'PixProviderConnected', data: forgotten }))).toBeNull();
});
